{{/* Contradictory values, one paragraph each. */}}
{{- define "whetstone.problems" -}}
{{- include "whetstone.problems.models" . -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
httpRoute.parentRefs is missing: the Gateways that take the route in, such as [{ name: public, namespace: gateways }].
{{ end -}}
{{- include "whetstone.problems.service" .Values.gateway.service -}}
{{- if eq .Values.mode "cluster" -}}
{{- include "whetstone.problems.rootSecret" . -}}
{{- include "whetstone.problems.kafka" .Values.kafka -}}
{{- include "whetstone.problems.milvus" .Values.milvus -}}
{{- include "whetstone.problems.replicas" . -}}
{{- if and .Values.grpc.tls.enabled (not .Values.grpc.tls.existingSecret) }}
grpc.tls.enabled needs grpc.tls.existingSecret: the Secret with the certificate that the services show to each other.
{{ end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.problems.service" -}}
{{- if and .nodePort (eq .type "ClusterIP") }}
gateway.service.nodePort needs gateway.service.type NodePort or LoadBalancer.
{{ end -}}
{{- if and (or .loadBalancerClass .loadBalancerSourceRanges) (ne .type "LoadBalancer") }}
gateway.service.loadBalancerClass and loadBalancerSourceRanges need gateway.service.type LoadBalancer.
{{ end -}}
{{- end -}}

{{- define "whetstone.problems.rootSecret" -}}
{{- if not .Values.rootSecret.existingSecret }}
rootSecret.existingSecret is missing: the name of a Secret with the root secret, which keys, job ids and sealed errors are derived from.
The chart makes none itself, because it would be another one with every rendering. Make it once, and keep a copy in a safe place:

  kubectl create secret generic whetstone-root --namespace {{ .Release.Namespace }} --from-literal=root-secret="$(openssl rand -hex 32)"

and install with --set rootSecret.existingSecret=whetstone-root
{{ end -}}
{{- end -}}

{{- define "whetstone.problems.kafka" -}}
{{- if not .brokers }}
kafka.brokers is missing: some brokers of your Kafka, each as host:port, such as --set 'kafka.brokers={kafka-0.kafka:9092,kafka-1.kafka:9092}'. For a first look without Kafka and Milvus: --set mode=standalone
{{ end -}}
{{- if and (not .tls.enabled) (or .tls.caSecret .tls.clientSecret) }}
kafka.tls has certificates, but kafka.tls.enabled is false: set it to true, or leave them out.
{{ end -}}
{{- with .sasl -}}
{{- if and .mechanism (not .existingSecret) }}
kafka.sasl.mechanism needs kafka.sasl.existingSecret: the Secret with the password.
{{ end -}}
{{- if and .mechanism (not .username) (not .usernameKey) }}
kafka.sasl.mechanism needs a user: its name as kafka.sasl.username, or the key of the Secret that has it as kafka.sasl.usernameKey.
{{ end -}}
{{- if and .username .usernameKey }}
kafka.sasl.username and kafka.sasl.usernameKey are both set; keep one of them.
{{ end -}}
{{- if and (not .mechanism) (or .username .usernameKey .existingSecret) }}
kafka.sasl has a login, but no kafka.sasl.mechanism: plain, scram-sha-256 or scram-sha-512.
{{ end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.problems.milvus" -}}
{{- if not .address }}
milvus.address is missing: host and port of your Milvus, such as --set milvus.address=milvus.milvus:19530. For a first look without Kafka and Milvus: --set mode=standalone
{{ end -}}
{{- if and (not .tls.enabled) .tls.caSecret }}
milvus.tls has an authority, but milvus.tls.enabled is false: set it to true, or leave it out.
{{ end -}}
{{- with .credentials -}}
{{- if and .existingSecret (not .username) (not .tokenKey) }}
milvus.credentials.existingSecret needs milvus.credentials.username, whose password it has, or milvus.credentials.tokenKey.
{{ end -}}
{{- if and .username .tokenKey }}
milvus.credentials.username and milvus.credentials.tokenKey are both set; keep one of them.
{{ end -}}
{{- if and (or .username .tokenKey) (not .existingSecret) }}
milvus.credentials needs existingSecret: the Secret with the password or token.
{{ end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.problems.models" -}}
{{- with .Values.model -}}
{{- if and .name (not .baseUrl) (not .existingSecret) }}
model.name needs model.existingSecret, a Secret with a key for OpenAI, or model.baseUrl for another endpoint.
{{ end -}}
{{- if and (not .name) (or .baseUrl .existingSecret) }}
model has an endpoint, but no model.name: which of its models learns.
{{ end -}}
{{- end -}}
{{- with .Values.embedding -}}
{{- if and .model (not .baseUrl) (not .existingSecret) }}
embedding.model needs embedding.existingSecret, a Secret with a key for OpenAI, or embedding.baseUrl for another endpoint.
{{ end -}}
{{- if and .model (lt (int .dimension) 2) }}
embedding.model needs embedding.dimension: the length of its vectors.
{{ end -}}
{{- if and (not .model) (or .baseUrl .existingSecret .dimension) }}
embedding has an endpoint, but no embedding.model: which of its models embeds.
{{ end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.problems.replicas" -}}
{{- $partitions := int .Values.kafka.uploadPartitions -}}
{{- with .Values.analyser -}}
{{- if and (not .autoscaling.enabled) (gt (int .replicas) $partitions) }}
analyser.replicas is {{ .replicas }}, and whetstone.uploads.v1 has {{ $partitions }} partitions (kafka.uploadPartitions): the others would stand by.
{{ end -}}
{{- if and .autoscaling.enabled (gt (int .autoscaling.maxReplicas) $partitions) }}
analyser.autoscaling.maxReplicas is {{ .autoscaling.maxReplicas }}, and whetstone.uploads.v1 has {{ $partitions }} partitions (kafka.uploadPartitions): the others would stand by.
{{ end -}}
{{- end -}}
{{- range $component := list "gateway" "analyser" "indexer" -}}
{{- with (index $.Values $component).autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) }}
{{ $component }}.autoscaling.minReplicas ({{ .minReplicas }}) is more than maxReplicas ({{ .maxReplicas }}).
{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
