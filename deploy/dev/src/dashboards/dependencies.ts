import { type DashboardDefinition, graph } from './definition.js';
import { chosen, quantile } from './queries.js';

export const dependencies: DashboardDefinition = {
  name: 'dependencies',
  title: 'Dependencies',
  question:
    'Is it us, or something that we call? The log, the vector store, embeddings, the model, and the services among themselves.',
  rows: [
    {
      title: 'Who reaches whom',
      panels: [
        graph({
          title: 'Reachable',
          description:
            'Share of the processes of a component that had an answer from a dependency when they last asked.',
          unit: 'percentunit',
          queries: {
            '{{component}} → {{dependency}}': `avg by (component, dependency) (whetstone_dependency_up{${chosen}})`,
          },
          width: 24,
          max: 1,
        }),
      ],
    },
    {
      title: 'The log',
      panels: [
        graph({
          title: 'Time to append',
          description: 'Time until an event is durable in the log.',
          unit: 's',
          queries: {
            p50: quantile(0.5, 'whetstone_append_duration_seconds'),
            p99: quantile(0.99, 'whetstone_append_duration_seconds'),
          },
        }),
        graph({
          title: 'Appends that failed',
          description: 'Appends a second that the log did not confirm, by process.',
          unit: 'ops',
          queries: { '{{pod}}': `sum by (pod) (rate(whetstone_append_failures_total{${chosen}}[$__rate_interval]))` },
        }),
      ],
    },
    {
      title: 'The vector store',
      panels: [
        graph({
          title: 'Operations',
          description: 'Operations a second, by kind.',
          unit: 'ops',
          queries: {
            '{{operation}}': `sum by (operation) (rate(whetstone_vector_operation_duration_seconds_count{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Time of an operation, p95',
          description: 'Time within which 95 % of the operations were done.',
          unit: 's',
          queries: {
            '{{operation}}': quantile(0.95, 'whetstone_vector_operation_duration_seconds', { by: 'operation' }),
          },
          width: 8,
        }),
        graph({
          title: 'Operations that failed',
          description: 'Operations a second that failed, by kind.',
          unit: 'ops',
          queries: {
            '{{operation}}': `sum by (operation) (rate(whetstone_vector_operation_failures_total{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
      ],
    },
    {
      title: 'Embeddings and the model',
      panels: [
        graph({
          title: 'Time of an embedding',
          description: 'Time from asking for an embedding to having it, waiting included.',
          unit: 's',
          queries: {
            p50: quantile(0.5, 'whetstone_embedding_duration_seconds'),
            p95: quantile(0.95, 'whetstone_embedding_duration_seconds'),
          },
          width: 8,
        }),
        graph({
          title: 'Embeddings',
          description: 'Embeddings a second that were made, and that failed.',
          unit: 'ops',
          queries: {
            all: `sum(rate(whetstone_embedding_duration_seconds_count{${chosen}}[$__rate_interval]))`,
            failed: `sum(rate(whetstone_embedding_failures_total{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Calls of the model',
          description: 'Calls a second by operation, and how those failed that did.',
          unit: 'ops',
          queries: {
            '{{gen_ai_operation_name}} {{error_type}}': `sum by (gen_ai_operation_name, error_type) (rate(gen_ai_client_operation_duration_seconds_count{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
      ],
    },
    {
      title: 'Calls between the services',
      panels: [
        graph({
          title: 'Calls',
          description: 'Calls a second that each service answers, by method.',
          unit: 'ops',
          queries: {
            '{{rpc_service}} {{rpc_method}}': `sum by (rpc_service, rpc_method) (rate(rpc_server_call_duration_seconds_count{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Time of a call, p95',
          description: 'Time within which 95 % of the calls were answered, as their callers see it, retries included.',
          unit: 's',
          queries: {
            '{{rpc_service}} {{rpc_method}}': quantile(0.95, 'rpc_client_call_duration_seconds', {
              by: 'rpc_service, rpc_method',
            }),
          },
          width: 8,
        }),
        graph({
          title: 'Calls that failed',
          description: 'Calls a second that did not end well for their callers, by status.',
          unit: 'ops',
          queries: {
            '{{rpc_method}} {{rpc_response_status_code}}': `sum by (rpc_method, rpc_response_status_code) (rate(rpc_client_call_duration_seconds_count{rpc_response_status_code!="OK", ${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
      ],
    },
  ],
};
