{{/*
What each process consists of. Its variables, secret files and allowed connections follow from this: `serves`, its protocol
besides probes; `calls`, other services; `uses`, the parts of the configuration it needs.
*/}}
{{- define "whetstone.processes" -}}
gateway: { serves: http, calls: [analyser, indexer, status], uses: [rootSecret, kafka, grpcTls, stopping] }
analyser: { serves: grpc, calls: [indexer, status], uses: [rootSecret, kafka, grpcTls, stopping, model] }
indexer: { serves: grpc, calls: [], uses: [rootSecret, milvus, embedding, grpcTls, stopping] }
status: { serves: grpc, calls: [], uses: [rootSecret, kafka, grpcTls, stopping, data] }
standalone: { serves: http, calls: [], uses: [model, embedding, stopping, data] }
topics: { calls: [], uses: [kafka, milvus, embedding] }
test: { calls: [], uses: {{ eq .Values.mode "standalone" | ternary "[data]" "[rootSecret, kafka]" }} }
{{- end -}}

{{- define "whetstone.process" -}}
{{- index (include "whetstone.processes" .root | fromYaml) .component | toYaml -}}
{{- end -}}

{{/* The running services: four, or one. */}}
{{- define "whetstone.running" -}}
{{- eq .Values.mode "standalone" | ternary "[standalone]" "[gateway, analyser, indexer, status]" -}}
{{- end -}}

{{/* For people: how many pods of a service there are, and what each of them requests. */}}
{{- define "whetstone.size" -}}
{{- $values := index .root.Values .component -}}
{{- $autoscaling := $values.autoscaling | default dict -}}
{{- $pods := printf "%d" (int (default 1 $values.replicas)) -}}
{{- if $autoscaling.enabled -}}
{{- $pods = printf "%d to %d" (int $autoscaling.minReplicas) (int $autoscaling.maxReplicas) -}}
{{- end -}}
{{- $requests := $values.resources.requests | default dict -}}
{{ $pods }} × {{ $requests.cpu | default "no" }} CPU, {{ $requests.memory | default "no" }} memory
{{- end -}}
