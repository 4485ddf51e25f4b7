{{/*
The variables of a process, as a list for its container. What the chart sets and what `env` of the service adds must not meet:
one of the two would silently lose.
*/}}
{{- define "whetstone.env" -}}
{{- $process := include "whetstone.process" . | fromYaml -}}
{{- $set := dict -}}
{{- if $process.serves -}}
{{- $set = merge $set (include "whetstone.env.process" (merge (dict "process" $process) .) | fromYaml) -}}
{{- end -}}
{{- range $process.calls -}}
{{- $_ := set $set (printf "WHETSTONE_%s_ADDRESS" (upper .)) (printf "dns:///%s-%s:9090" (include "whetstone.fullname" $.root) .) -}}
{{- end -}}
{{- range $process.uses -}}
{{- $set = merge $set (include (printf "whetstone.env.%s" .) (merge (dict "process" $process) $) | fromYaml) -}}
{{- end -}}
{{- range include "whetstone.secretFiles" . | fromYamlArray -}}
{{- $_ := set $set (printf "%s_FILE" .variable) (printf "/etc/whetstone/%s" (include "whetstone.secretPath" .)) -}}
{{- end -}}
{{- range $name, $value := (index .root.Values .component | default dict).env -}}
{{- if or (hasKey $set $name) (hasKey $set (printf "%s_FILE" $name)) -}}
{{- fail (printf "\n\n%s.env: %s is set by the chart already. Use the chart's value instead; README.md lists them all.\n" $.component $name) -}}
{{- end -}}
{{- if regexMatch "(SECRETS?|PASSWORD|TOKEN|API_KEY|TLS_KEY)$" $name -}}
{{- fail (printf "\n\n%s.env: %s is a secret and would be readable in the manifest. Refer to a Secret instead; README.md says how.\n" $.component $name) -}}
{{- end -}}
{{- $_ := set $set $name $value -}}
{{- end -}}
{{- range $name, $value := $set }}
- name: {{ $name }}
  value: {{ include "whetstone.plain" $value | quote }}
{{- end -}}
{{- end -}}

{{/* Helm passes integers as floats, which print as 4.194304e+06. */}}
{{- define "whetstone.plain" -}}
{{- if and (kindIs "float64" .) (eq (toString (floor .)) (toString .)) -}}
{{- int64 . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.env.process" -}}
WHETSTONE_OPS_HOST: {{ quote .root.Values.listenAddress }}
WHETSTONE_OPS_PORT: 9464
WHETSTONE_{{ upper .process.serves }}_HOST: {{ quote .root.Values.listenAddress }}
WHETSTONE_{{ upper .process.serves }}_PORT: {{ eq .process.serves "http" | ternary 8080 9090 }}
WHETSTONE_LOG_LEVEL: {{ .root.Values.logLevel }}
{{- if eq .process.serves "http" }}
WHETSTONE_MAX_BODY_BYTES: {{ .root.Values.gateway.maxBodyBytes }}
WHETSTONE_MAX_BATCH_BYTES: {{ .root.Values.gateway.maxBatchBytes }}
WHETSTONE_MAX_BYTES_IN_FLIGHT: {{ .root.Values.gateway.maxBytesInFlight }}
WHETSTONE_HTTP_MAX_CONNECTIONS_PER_ADDRESS: {{ .root.Values.gateway.maxConnectionsPerAddress }}
{{- end }}
{{- with .root.Values.tracing.otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . }}
{{- end }}
{{- end -}}

{{/* The stop covers draining and requests in flight; the kubelet waits a little longer. */}}
{{- define "whetstone.env.stopping" -}}
WHETSTONE_DRAIN_MS: {{ mul (include "whetstone.drainSeconds" .) 1000 }}
WHETSTONE_{{ upper .process.serves }}_GRACE_MS: {{ mul .root.Values.stopping.requestSeconds 1000 }}
WHETSTONE_STOP_GRACE_MS: {{ mul (include "whetstone.stopSeconds" .) 1000 }}
{{- end -}}

{{- define "whetstone.stopSeconds" -}}
{{- add (include "whetstone.drainSeconds" .) .root.Values.stopping.requestSeconds 15 -}}
{{- end -}}

{{/* Nobody takes over from the only pod of a standalone server: the sooner it stops, the sooner its successor serves. */}}
{{- define "whetstone.drainSeconds" -}}
{{- eq .component "standalone" | ternary 0 .root.Values.stopping.drainSeconds -}}
{{- end -}}

{{- define "whetstone.env.rootSecret" -}}
{{- end -}}

{{- define "whetstone.env.grpcTls" -}}
{{- end -}}

{{- define "whetstone.env.data" -}}
WHETSTONE_DATA: /var/lib/whetstone/data
{{- end -}}

{{- define "whetstone.env.kafka" -}}
{{- $kafka := .root.Values.kafka -}}
WHETSTONE_KAFKA_BROKERS: {{ join "," $kafka.brokers | quote }}
WHETSTONE_KAFKA_TLS: {{ $kafka.tls.enabled }}
{{- with $kafka.sasl.mechanism }}
WHETSTONE_KAFKA_SASL_MECHANISM: {{ . }}
{{- end }}
{{- with $kafka.sasl.username }}
WHETSTONE_KAFKA_SASL_USERNAME: {{ quote . }}
{{- end }}
{{- end -}}

{{- define "whetstone.env.milvus" -}}
{{- $milvus := .root.Values.milvus -}}
WHETSTONE_MILVUS_ADDRESS: {{ quote $milvus.address }}
WHETSTONE_MILVUS_DATABASE: {{ quote $milvus.database }}
WHETSTONE_MILVUS_SHARDS: {{ $milvus.shards }}
WHETSTONE_MILVUS_INDEX: {{ $milvus.index }}
WHETSTONE_MILVUS_CONSISTENCY: {{ $milvus.consistency }}
WHETSTONE_MILVUS_TLS: {{ $milvus.tls.enabled }}
{{- with $milvus.credentials.username }}
WHETSTONE_MILVUS_USERNAME: {{ quote . }}
{{- end }}
{{- end -}}

{{- define "whetstone.env.model" -}}
{{- $model := .root.Values.model -}}
{{- with $model.name -}}
WHETSTONE_MODEL_NAME: {{ quote . }}
WHETSTONE_MODEL_CONCURRENCY: {{ $model.concurrency }}
WHETSTONE_MODEL_CONTEXT_TOKENS: {{ $model.contextTokens }}
{{- with $model.baseUrl }}
WHETSTONE_MODEL_BASE_URL: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "whetstone.env.embedding" -}}
{{- $embedding := .root.Values.embedding -}}
{{- with $embedding.model -}}
WHETSTONE_EMBEDDING_MODEL: {{ quote . }}
WHETSTONE_EMBEDDING_DIMENSION: {{ $embedding.dimension }}
{{- with $embedding.baseUrl }}
WHETSTONE_EMBEDDING_BASE_URL: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}
