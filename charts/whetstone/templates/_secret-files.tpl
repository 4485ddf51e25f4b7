{{/*
Secrets reach a process as files, never as values: each variable X of this list is given as X_FILE. One projected volume holds
the files of a process and no others.
*/}}
{{- define "whetstone.secretFiles" -}}
{{- range (include "whetstone.process" . | fromYaml).uses -}}
{{- include (printf "whetstone.secretFiles.%s" .) $.root -}}
{{- end -}}
{{- end -}}

{{/* WHETSTONE_KAFKA_SASL_PASSWORD is in the file kafka-sasl-password. */}}
{{- define "whetstone.secretPath" -}}
{{- .variable | trimPrefix "WHETSTONE_" | lower | replace "_" "-" -}}
{{- end -}}

{{- define "whetstone.secretFile" }}
- { variable: {{ index . 0 }}, secret: {{ quote (index . 1) }}, key: {{ quote (index . 2) }} }
{{- end -}}

{{- define "whetstone.secretFiles.rootSecret" -}}
{{- with .Values.rootSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_ROOT_SECRET" .existingSecret .key) -}}
{{- if .previousKey -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_PREVIOUS_ROOT_SECRETS" .existingSecret .previousKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.kafka" -}}
{{- with .Values.kafka.tls -}}
{{- if and .enabled .caSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_KAFKA_TLS_CA" .caSecret .caKey) -}}
{{- end -}}
{{- if and .enabled .clientSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_KAFKA_TLS_CERT" .clientSecret .certKey) -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_KAFKA_TLS_KEY" .clientSecret .keyKey) -}}
{{- end -}}
{{- end -}}
{{- with .Values.kafka.sasl -}}
{{- if .mechanism -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_KAFKA_SASL_PASSWORD" .existingSecret .passwordKey) -}}
{{- if .usernameKey -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_KAFKA_SASL_USERNAME" .existingSecret .usernameKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.milvus" -}}
{{- with .Values.milvus.tls -}}
{{- if and .enabled .caSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_MILVUS_TLS_CA" .caSecret .caKey) -}}
{{- end -}}
{{- end -}}
{{- with .Values.milvus.credentials -}}
{{- if and .existingSecret .tokenKey -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_MILVUS_TOKEN" .existingSecret .tokenKey) -}}
{{- else if .existingSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_MILVUS_PASSWORD" .existingSecret .passwordKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.model" -}}
{{- with .Values.model -}}
{{- if and .name .existingSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_MODEL_API_KEY" .existingSecret .apiKeyKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.embedding" -}}
{{- with .Values.embedding -}}
{{- if and .model .existingSecret -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_EMBEDDING_API_KEY" .existingSecret .apiKeyKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.grpcTls" -}}
{{- with .Values.grpc.tls -}}
{{- if .enabled -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_GRPC_TLS_CA" .existingSecret .caKey) -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_GRPC_TLS_CERT" .existingSecret .certKey) -}}
{{- include "whetstone.secretFile" (list "WHETSTONE_GRPC_TLS_KEY" .existingSecret .keyKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "whetstone.secretFiles.stopping" -}}
{{- end -}}

{{- define "whetstone.secretFiles.data" -}}
{{- end -}}
