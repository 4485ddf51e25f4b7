{{/* Common to all pods: passes PodSecurity `restricted` and has no access to the Kubernetes API. */}}
{{- define "whetstone.podBasics" -}}
automountServiceAccountToken: false
# Services called whetstone-… would become variables that the processes take for settings.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "whetstone.podSecurityContext" .root | nindent 2 }}
{{- end -}}

{{/* OpenShift's default SCC admits no fixed user or group: it assigns them, by namespace. */}}
{{- define "whetstone.podSecurityContext" -}}
{{- $adapt := .Values.openshift.adaptSecurityContext -}}
{{- if or (eq $adapt "force") (and (eq $adapt "auto") (.Capabilities.APIVersions.Has "security.openshift.io/v1")) -}}
{{- omit .Values.podSecurityContext "runAsUser" "runAsGroup" "fsGroup" | toYaml -}}
{{- else -}}
{{- toYaml .Values.podSecurityContext -}}
{{- end -}}
{{- end -}}

{{/* A container of the image `target` with the variables and files of `component`; its caller adds ports, probes and resources. */}}
{{- define "whetstone.containerBasics" -}}
image: {{ include "whetstone.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  {{- include "whetstone.env" . | trim | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if include "whetstone.secretFiles" . }}
  - name: secrets
    mountPath: /etc/whetstone
    readOnly: true
  {{- end }}
  {{- if has "data" (include "whetstone.process" . | fromYaml).uses }}
  - name: data
    mountPath: /var/lib/whetstone
  {{- end }}
  {{- range .mounts }}
  - {{ toYaml . | nindent 4 | trim }}
  {{- end }}
{{- end -}}

{{/* Its volumes, except `data`. */}}
{{- define "whetstone.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- with include "whetstone.secretFiles" . | fromYamlArray }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secret }}
          items:
            - key: {{ .key }}
              path: {{ include "whetstone.secretPath" . }}
      {{- end }}
{{- end }}
{{- end -}}

{{/* The pod of a service, for its Deployment or StatefulSet. */}}
{{- define "whetstone.servicePod" -}}
{{- $values := index .root.Values .component -}}
{{- $process := include "whetstone.process" . | fromYaml -}}
metadata:
  labels:
    {{- include "whetstone.labels" . | nindent 4 }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: {{ .component }}
    {{- with .root.Values.secretsRevision }}
    whetstone/secrets-revision: {{ quote . }}
    {{- end }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "whetstone.fullname" .root }}-{{ .component }}
  {{- include "whetstone.podBasics" . | nindent 2 }}
  # Longer than an orderly stop takes at most: draining, requests in flight, closing.
  terminationGracePeriodSeconds: {{ add (include "whetstone.stopSeconds" .) 10 }}
  {{- with $values.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      {{- include "whetstone.containerBasics" (merge (dict "target" .component "mounts" $values.extraVolumeMounts) .) | nindent 6 }}
      ports:
        - name: {{ $process.serves }}
          containerPort: {{ eq $process.serves "http" | ternary 8080 9090 }}
        - name: ops
          containerPort: 9464
      startupProbe:
        httpGet: { path: /startupz, port: ops }
        {{- toYaml .root.Values.startupProbe | nindent 8 }}
      livenessProbe:
        httpGet: { path: /livez, port: ops }
        {{- toYaml .root.Values.livenessProbe | nindent 8 }}
      readinessProbe:
        httpGet: { path: /readyz, port: ops }
        {{- toYaml .root.Values.readinessProbe | nindent 8 }}
      resources:
        {{- include "whetstone.resources" . | nindent 8 }}
    {{- with $values.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "whetstone.volumes" . | nindent 4 }}
    {{- if eq .component "status" }}
    - name: data
      emptyDir:
        sizeLimit: {{ $values.dataSizeLimit }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- include "whetstone.scheduling" . | trim | nindent 2 }}
{{- end -}}

{{- define "whetstone.scheduling" -}}
{{- $values := index .root.Values .component -}}
{{- if ne .component "standalone" }}
topologySpreadConstraints:
  {{- if $values.topologySpreadConstraints }}
  {{- toYaml $values.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "whetstone.selectorLabels" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
  {{- end }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The resources of a service. Of a gateway it is known what it takes at most. */}}
{{- define "whetstone.resources" -}}
{{- $values := index .root.Values .component -}}
{{- $resources := deepCopy $values.resources -}}
{{- if and (eq .component "gateway") (not (dig "limits" "memory" "" $resources)) -}}
{{- $inFlight := max $values.maxBytesInFlight (add (mul 4 $values.maxBatchBytes) (mul 8 $values.maxBodyBytes)) -}}
{{- $bytes := add 268435456 $inFlight (mul 128 $values.maxBodyBytes) -}}
{{- $resources = merge $resources (dict "limits" (dict "memory" (printf "%dMi" (div $bytes 1048576)))) -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/* A container that runs one `whetstone` command. */}}
{{- define "whetstone.hookContainer" -}}
{{ include "whetstone.containerBasics" . }}
# What it says at the end is in the pod's status too.
terminationMessagePolicy: FallbackToLogsOnError
resources:
  requests: { cpu: 100m, memory: 128Mi }
  limits: { memory: 384Mi }
{{- end -}}
