{{/* An egress rule: to these peers, or anywhere if empty, on these ports. */}}
{{- define "whetstone.egress" -}}
- ports:
    {{- range $port := .ports }}
    {{- range default (list "TCP") $.protocols }}
    - { port: {{ $port }}, protocol: {{ . }} }
    {{- end }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* The pods of another component of this release. */}}
{{- define "whetstone.peer" -}}
- podSelector:
    matchLabels:
      {{- include "whetstone.selectorLabels" . | nindent 6 }}
{{- end -}}

{{/* Allowed egress of a component. */}}
{{- define "whetstone.allEgress" -}}
{{- $values := .root.Values -}}
{{- $policy := $values.networkPolicy -}}
{{- $process := include "whetstone.process" . | fromYaml -}}
{{ include "whetstone.egress" (dict "to" $policy.dns.to "ports" $policy.dns.ports "protocols" (list "UDP" "TCP")) }}
{{- range $process.calls }}
{{ include "whetstone.egress" (dict "to" (include "whetstone.peer" (dict "root" $.root "component" .) | fromYamlArray) "ports" (list 9090)) }}
{{- end }}
{{- if eq .component "test" }}
{{ include "whetstone.egress" (dict "to" (include "whetstone.peer" (dict "root" .root "component" (include "whetstone.front" .root)) | fromYamlArray) "ports" (list 8080)) }}
{{- end }}
{{- if has "kafka" $process.uses }}
{{ include "whetstone.egress" (dict "to" $policy.kafka.to "ports" (default (include "whetstone.portsOf" $values.kafka.brokers | fromYamlArray) $policy.kafka.ports)) }}
{{- end }}
{{- if has "milvus" $process.uses }}
{{ include "whetstone.egress" (dict "to" $policy.milvus.to "ports" (default (include "whetstone.portsOf" (list $values.milvus.address) | fromYamlArray) $policy.milvus.ports)) }}
{{- end }}
{{- $endpoints := list -}}
{{- if and (has "model" $process.uses) $values.model.name -}}
{{- $endpoints = append $endpoints $values.model.baseUrl -}}
{{- end -}}
{{- if and (has "embedding" $process.uses) $values.embedding.model -}}
{{- $endpoints = append $endpoints $values.embedding.baseUrl -}}
{{- end -}}
{{- if and $process.serves $endpoints }}
{{ include "whetstone.egress" (dict "to" $policy.model.to "ports" (default (include "whetstone.portsOf" $endpoints | fromYamlArray) $policy.model.ports)) }}
{{- end }}
{{- if and $process.serves $values.tracing.otlpEndpoint }}
{{ include "whetstone.egress" (dict "to" $policy.tracing.to "ports" (default (include "whetstone.portsOf" (list $values.tracing.otlpEndpoint) | fromYamlArray) $policy.tracing.ports)) }}
{{- end }}
{{- end -}}

{{/* Distinct ports of addresses such as host:9092, [::1]:9092 and http://host/v1; an empty address is OpenAI's. */}}
{{- define "whetstone.portsOf" -}}
{{- $ports := list -}}
{{- range . -}}
{{- $default := hasPrefix "http://" . | ternary "80" "443" -}}
{{- $ports = append $ports (regexFind ":[0-9]+(/|$)" (. | trimPrefix "https://" | trimPrefix "http://") | trimAll ":/" | default $default) -}}
{{- end -}}
[{{ $ports | uniq | join ", " }}]
{{- end -}}
