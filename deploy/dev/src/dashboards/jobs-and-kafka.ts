import { type DashboardDefinition, graph, redFrom, stat } from './definition.js';
import { chosen, quantile, uploads } from './queries.js';
import { retriesAndDeadLetters } from './shared-panels.js';

export const jobsAndKafka: DashboardDefinition = {
  name: 'jobs-and-kafka',
  title: 'Jobs and Kafka',
  question: 'Are uploads being learnt from, and if not, where do they wait?',
  rows: [
    {
      title: 'Now',
      panels: [
        stat({
          title: 'Waiting',
          description: 'Uploads that are accepted and not done.',
          unit: 'short',
          queries: { waiting: `sum(whetstone_consumer_lag_messages{${chosen}})` },
          thresholds: [
            ['green', null],
            ['orange', 1000],
            ['red', 10000],
          ],
        }),
        stat({
          title: 'Oldest upload that waits',
          description: 'Age of the oldest upload that is not done. After a day its job fails.',
          unit: 's',
          queries: { oldest: `max(whetstone_consumer_lag_seconds{${chosen}})` },
          thresholds: [
            ['green', null],
            ['orange', 300],
            ['red', 3600],
          ],
        }),
        stat({
          title: 'Oldest open job',
          description: 'Age of the oldest job that was begun and has not ended. After a day it fails.',
          unit: 's',
          queries: { oldest: `max(whetstone_oldest_open_job_seconds{${chosen}})` },
          thresholds: [
            ['green', null],
            ['orange', 3600],
            ['red', 43200],
          ],
        }),
        stat({
          title: 'Dead letters',
          description: 'Uploads that were given up in the time shown. `whetstone dead-letters list` tells why.',
          unit: 'short',
          queries: { 'given up': `sum(increase(whetstone_dead_letters_total{${chosen}}[$__range]))` },
          thresholds: redFrom(1),
          decimals: 0,
        }),
      ],
    },
    {
      title: 'Uploads to jobs',
      panels: [
        graph({
          title: 'In and out',
          description:
            'Uploads accepted and jobs ended, a second. Where the first stays above the second, the lag grows.',
          unit: 'ops',
          queries: {
            accepted: `sum(rate(http_server_request_duration_seconds_count{${uploads}, http_response_status_code="202", ${chosen}}[$__rate_interval]))`,
            ended: `sum(rate(whetstone_jobs_total{${chosen}}[$__rate_interval]))`,
          },
        }),
        graph({
          title: 'Consumer lag',
          description: 'Messages of its partitions that each analyser has not done.',
          unit: 'short',
          queries: { '{{pod}}': `sum by (pod) (whetstone_consumer_lag_messages{${chosen}})` },
          stacked: true,
        }),
        graph({
          title: 'Age of the lag',
          description: 'Age of the oldest message that is not done, by analyser.',
          unit: 's',
          queries: { '{{pod}}': `max by (pod) (whetstone_consumer_lag_seconds{${chosen}})` },
          thresholds: redFrom(300),
        }),
        graph({
          title: 'In flight',
          description:
            'Messages being worked on, by analyser. At WHETSTONE_ANALYSER_CONCURRENCY it is as busy as it gets.',
          unit: 'short',
          queries: { '{{pod}}': `sum by (pod) (whetstone_inflight_messages{${chosen}})` },
        }),
      ],
    },
    {
      title: 'Jobs',
      panels: [
        graph({
          title: 'Outcomes',
          description: 'Jobs that ended, a second, by outcome.',
          unit: 'ops',
          queries: { '{{outcome}}': `sum by (outcome) (rate(whetstone_jobs_total{${chosen}}[$__rate_interval]))` },
          stacked: true,
        }),
        graph({
          title: 'Time by stage, p95',
          description:
            'Time within which 95 % of the jobs were through a stage: waiting in the queue, analysing, storing, and all from acceptance to completion.',
          unit: 's',
          queries: { '{{stage}}': quantile(0.95, 'whetstone_job_duration_seconds', { by: 'stage' }) },
        }),
        graph({
          title: 'Oldest open job',
          description: 'Age of the oldest job that was begun and has not ended, as each status service sees it.',
          unit: 's',
          queries: { '{{pod}}': `max by (pod) (whetstone_oldest_open_job_seconds{${chosen}})` },
          thresholds: [
            ['green', null],
            ['orange', 3600],
            ['red', 43200],
          ],
        }),
        retriesAndDeadLetters,
      ],
    },
    {
      title: 'The log',
      panels: [
        graph({
          title: 'Time to append, p99',
          description: 'Time until an event is durable in the log, for the slowest in a hundred.',
          unit: 's',
          queries: { '{{pod}}': quantile(0.99, 'whetstone_append_duration_seconds', { by: 'pod' }) },
        }),
        graph({
          title: 'Appends',
          description: 'Appends a second that were confirmed, and that were not.',
          unit: 'ops',
          queries: {
            confirmed: `sum(rate(whetstone_append_duration_seconds_count{${chosen}}[$__rate_interval]))`,
            failed: `sum(rate(whetstone_append_failures_total{${chosen}}[$__rate_interval]))`,
          },
        }),
        graph({
          title: 'Rebalances',
          description:
            'Times that partitions were taken away from an analyser, in each interval. Some with every rollout; many are a problem.',
          unit: 'short',
          queries: { '{{pod}}': `sum by (pod) (increase(whetstone_rebalances_total{${chosen}}[$__rate_interval]))` },
        }),
        graph({
          title: 'Age of the views',
          description:
            'Time since a view was last known to be at the end of its topic: jobs for the status service, keys for the gateway.',
          unit: 's',
          queries: { '{{view}} {{pod}}': `max by (view, pod) (whetstone_view_age_seconds{${chosen}})` },
          thresholds: redFrom(60),
        }),
      ],
    },
  ],
};
