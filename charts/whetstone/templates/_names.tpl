{{- define "whetstone.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* Prefix of all object names, short enough for the suffixes. */}}
{{- define "whetstone.fullname" -}}
{{- $name := include "whetstone.name" . -}}
{{- $generated := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $generated .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "whetstone.selectorLabels" -}}
app.kubernetes.io/name: {{ include "whetstone.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "whetstone.labels" -}}
{{ include "whetstone.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "whetstone.metadata" -}}
name: {{ include "whetstone.fullname" .root }}-{{ .component }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "whetstone.labels" . | nindent 2 }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "whetstone.image" -}}
{{- $image := .root.Values.image -}}
{{- $registry := empty $image.registry | ternary "" (printf "%s/" (trimSuffix "/" $image.registry)) -}}
{{- $version := printf ":%s" (default .root.Chart.AppVersion $image.tag) -}}
{{- with index $image.digests .target -}}
{{- $version = printf "@%s" . -}}
{{- end -}}
{{- $named := printf "%swhetstone-%s%s" $registry .target $version -}}
{{- default $named (index .root.Values .target).image -}}
{{- end -}}

{{/* The component that callers use. */}}
{{- define "whetstone.front" -}}
{{- eq .Values.mode "standalone" | ternary "standalone" "gateway" -}}
{{- end -}}

{{- define "whetstone.frontUrl" -}}
http://{{ include "whetstone.fullname" . }}-{{ include "whetstone.front" . }}.{{ .Release.Namespace }}.svc:{{ .Values.gateway.service.port }}
{{- end -}}
