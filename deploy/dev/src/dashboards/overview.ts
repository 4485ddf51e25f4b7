import { type DashboardDefinition, graph, redFrom, stat } from './definition.js';
import { chosen, enhancing, quantile, uploads } from './queries.js';
import { lateTurns, retriesAndDeadLetters, shareOfMemory } from './shared-panels.js';

export const overview: DashboardDefinition = {
  name: 'overview',
  title: 'Overview',
  question: 'Is it working, for whom not, and since when? The objectives, then traffic, errors and saturation.',
  rows: [
    {
      title: 'Objectives over the time shown',
      panels: [
        stat({
          title: 'Uploads accepted',
          description: 'Share of uploads that were not answered with a 5xx. The objective is 99.9 % over 30 days.',
          unit: 'percentunit',
          queries: {
            accepted: `1 - sum(increase(http_server_request_duration_seconds_count{${uploads}, http_response_status_code=~"5..", ${chosen}}[$__range])) / sum(increase(http_server_request_duration_seconds_count{${uploads}, ${chosen}}[$__range]))`,
          },
          thresholds: [
            ['red', null],
            ['orange', 0.999],
            ['green', 0.9995],
          ],
          decimals: 3,
        }),
        stat({
          title: 'Jobs ended well',
          description:
            'Share of the ended jobs that did not fail and did not miss their deadline. The objective is 99.5 % over 30 days.',
          unit: 'percentunit',
          queries: {
            'ended well': `1 - sum(increase(whetstone_jobs_total{outcome="failed", ${chosen}}[$__range])) / sum(increase(whetstone_jobs_total{${chosen}}[$__range]))`,
          },
          thresholds: [
            ['red', null],
            ['orange', 0.995],
            ['green', 0.999],
          ],
          decimals: 3,
        }),
        stat({
          title: 'Enhanced within 1 s',
          description:
            'Share of the calls of enhance_task that were answered within 1 s; a 5xx counts as too late. The objective is 95 % over 30 days.',
          unit: 'percentunit',
          queries: {
            'within 1 s': `sum(increase(http_server_request_duration_seconds_bucket{${enhancing}, http_response_status_code="200", le=~"1|1[.]0", ${chosen}}[$__range])) / sum(increase(http_server_request_duration_seconds_count{${enhancing}, http_response_status_code=~"200|5..", ${chosen}}[$__range]))`,
          },
          thresholds: [
            ['red', null],
            ['orange', 0.95],
            ['green', 0.99],
          ],
          decimals: 2,
        }),
        stat({
          title: 'enhance_task p95',
          description: 'Time within which 95 % of the answers of enhance_task came, now.',
          unit: 's',
          queries: { p95: quantile(0.95, 'http_server_request_duration_seconds', { where: enhancing }) },
          thresholds: [
            ['green', null],
            ['orange', 0.5],
            ['red', 1],
          ],
        }),
      ],
    },
    {
      title: 'What is there',
      panels: [
        stat({
          title: 'Ready',
          description: 'Processes that take work, by component.',
          unit: 'none',
          queries: { '{{component}}': `sum by (component) (whetstone_ready{${chosen}})` },
          thresholds: [
            ['red', null],
            ['orange', 1],
            ['green', 2],
          ],
          width: 12,
        }),
        stat({
          title: 'Dependencies away',
          description: 'What some process does not reach. None where all is well.',
          unit: 'none',
          queries: {
            '{{component}} → {{dependency}}': `count by (component, dependency) (whetstone_dependency_up{${chosen}} == 0)`,
          },
          thresholds: [['red', null]],
          width: 12,
          none: 'none',
        }),
      ],
    },
    {
      title: 'Traffic',
      panels: [
        graph({
          title: 'Requests',
          description: 'Requests a second by route.',
          unit: 'reqps',
          queries: {
            '{{http_route}}': `sum by (http_route) (rate(http_server_request_duration_seconds_count{${chosen}}[$__rate_interval]))`,
          },
          stacked: true,
        }),
        graph({
          title: 'Time to answer, p95',
          description:
            'Time within which 95 % of the answers came, by route. The line is the objective of enhance_task.',
          unit: 's',
          queries: { '{{http_route}}': quantile(0.95, 'http_server_request_duration_seconds', { by: 'http_route' }) },
          thresholds: redFrom(1),
        }),
        graph({
          title: 'Jobs that ended',
          description: 'Jobs a second by outcome.',
          unit: 'ops',
          queries: { '{{outcome}}': `sum by (outcome) (rate(whetstone_jobs_total{${chosen}}[$__rate_interval]))` },
          stacked: true,
        }),
        graph({
          title: 'Uploads that wait',
          description: 'Uploads that are accepted and not learnt from yet.',
          unit: 'short',
          queries: {
            waiting: `sum(whetstone_consumer_lag_messages{${chosen}})`,
            'being worked on': `sum(whetstone_inflight_messages{${chosen}})`,
          },
        }),
      ],
    },
    {
      title: 'Errors',
      panels: [
        graph({
          title: '5xx',
          description: 'Requests a second that failed here, by route.',
          unit: 'reqps',
          queries: {
            '{{http_route}}': `sum by (http_route) (rate(http_server_request_duration_seconds_count{http_response_status_code=~"5..", ${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: '4xx',
          description: 'Requests a second that were turned away, by status.',
          unit: 'reqps',
          queries: {
            '{{http_response_status_code}}': `sum by (http_response_status_code) (rate(http_server_request_duration_seconds_count{http_response_status_code=~"4..", ${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Keys and rates',
          description: 'Requests a second turned away for their key, by reason, or for their rate.',
          unit: 'reqps',
          queries: {
            'key {{reason}}': `sum by (reason) (rate(whetstone_auth_failures_total{${chosen}}[$__rate_interval]))`,
            'too many': `sum(rate(whetstone_rate_limited_total{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Failures of what is called',
          description: 'Failures a second: of appends to the log, of the vector store, of embeddings, of the model.',
          unit: 'ops',
          queries: {
            log: `sum(rate(whetstone_append_failures_total{${chosen}}[$__rate_interval]))`,
            'vector store': `sum(rate(whetstone_vector_operation_failures_total{${chosen}}[$__rate_interval]))`,
            embedding: `sum(rate(whetstone_embedding_failures_total{${chosen}}[$__rate_interval]))`,
            model: `sum(rate(gen_ai_client_operation_duration_seconds_count{error_type!="", ${chosen}}[$__rate_interval]))`,
          },
        }),
        retriesAndDeadLetters,
      ],
    },
    {
      title: 'Saturation',
      panels: [
        { ...shareOfMemory, width: 8 },
        { ...lateTurns, width: 8 },
        graph({
          title: 'Oldest upload that waits',
          description: 'Age of the oldest upload that is not learnt from yet.',
          unit: 's',
          queries: { oldest: `max(whetstone_consumer_lag_seconds{${chosen}})` },
          thresholds: redFrom(300),
          width: 8,
        }),
      ],
    },
  ],
};
