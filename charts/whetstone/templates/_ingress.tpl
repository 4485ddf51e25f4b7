{{- define "whetstone.ingressAnnotations" -}}
{{- if eq .Values.ingress.controller "ingress-nginx" }}
# 1 MiB more than the gateway takes: it refuses what is a little too large itself, in the words of the contract.
nginx.ingress.kubernetes.io/proxy-body-size: {{ printf "%dk" (div (add (max .Values.gateway.maxBodyBytes .Values.gateway.maxBatchBytes) 1049599) 1024) | quote }}
# A deletion by intent, or a batch, may take 60 seconds, which is where nginx would give up.
nginx.ingress.kubernetes.io/proxy-read-timeout: "75"
# Its log has whole query strings, and those of Whetstone hold what callers ask for. The gateway logs requests without them.
nginx.ingress.kubernetes.io/enable-access-log: {{ .Values.ingress.accessLog | quote }}
{{- end }}
{{- with .Values.ingress.annotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}
