import { type DashboardDefinition, graph, stat } from './definition.js';
import { chosen, quantile } from './queries.js';

export const learning: DashboardDefinition = {
  name: 'learning',
  title: 'Learning',
  question: 'Does it help? What is learnt, what is told, and how the runs end that were told it.',
  rows: [
    {
      title: 'What it is worth',
      panels: [
        stat({
          title: 'Uplift',
          description:
            'Share of runs that succeed with recommendations, less that of runs held out, over the outcomes told in the time shown. Needs WHETSTONE_HOLDOUT_SHARE above 0.',
          unit: 'percentunit',
          queries: {
            uplift: `sum(increase(whetstone_outcomes_total{arm="recommended", success="true", ${chosen}}[$__range])) / sum(increase(whetstone_outcomes_total{arm="recommended", ${chosen}}[$__range])) - sum(increase(whetstone_outcomes_total{arm="holdout", success="true", ${chosen}}[$__range])) / sum(increase(whetstone_outcomes_total{arm="holdout", ${chosen}}[$__range]))`,
          },
          thresholds: [
            ['red', null],
            ['orange', 0],
            ['green', 0.02],
          ],
          decimals: 1,
        }),
        stat({
          title: 'Outcomes told',
          description: 'Outcomes of runs that cite an answer, in the time shown: what the uplift rests on.',
          unit: 'short',
          queries: { '{{arm}}': `sum by (arm) (increase(whetstone_outcomes_total{${chosen}}[$__range]))` },
          thresholds: [['blue', null]],
          width: 12,
          decimals: 0,
        }),
        stat({
          title: 'Answers without a recommendation',
          description: 'Share of the answers of enhance_task that had nothing to say.',
          unit: 'percentunit',
          queries: {
            empty: `sum(increase(whetstone_enhance_empty_total{${chosen}}[$__range])) / sum(increase(whetstone_recommendations_returned_count{${chosen}}[$__range]))`,
          },
          thresholds: [
            ['green', null],
            ['orange', 0.5],
            ['red', 0.9],
          ],
          decimals: 1,
        }),
        graph({
          title: 'Uplift with its interval',
          description:
            'As each analyser saw it since it started. Nothing is shown until outcomes of both arms were told; where the interval includes 0, nothing is proven.',
          unit: 'percentunit',
          queries: {
            uplift: `avg(whetstone_uplift_ratio{${chosen}})`,
            'lower end': `min(whetstone_uplift_ratio_low{${chosen}})`,
            'upper end': `max(whetstone_uplift_ratio_high{${chosen}})`,
          },
          min: null,
        }),
        graph({
          title: 'Success by arm',
          description:
            'Share of the told outcomes that are successes: with recommendations, held out, and where there was nothing to say.',
          unit: 'percentunit',
          queries: {
            '{{arm}}': `sum by (arm) (rate(whetstone_outcomes_total{success="true", ${chosen}}[$__rate_interval])) / sum by (arm) (rate(whetstone_outcomes_total{${chosen}}[$__rate_interval]))`,
          },
          max: 1,
        }),
      ],
    },
    {
      title: 'What is told',
      panels: [
        graph({
          title: 'Recommendations in an answer',
          description: 'Mean number of recommendations in an answer of enhance_task.',
          unit: 'short',
          queries: {
            mean: `sum(rate(whetstone_recommendations_returned_sum{${chosen}}[$__rate_interval])) / sum(rate(whetstone_recommendations_returned_count{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Answers',
          description:
            'Answers of enhance_task a second: all, those without a recommendation, and those held out to measure.',
          unit: 'ops',
          queries: {
            all: `sum(rate(whetstone_recommendations_returned_count{${chosen}}[$__rate_interval]))`,
            empty: `sum(rate(whetstone_enhance_empty_total{${chosen}}[$__rate_interval]))`,
            'held out': `sum(rate(whetstone_enhance_held_out_total{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
        }),
        graph({
          title: 'Outcomes told',
          description: 'Outcomes a second, by arm and success.',
          unit: 'ops',
          queries: {
            '{{arm}} {{success}}': `sum by (arm, success) (rate(whetstone_outcomes_total{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
          stacked: true,
        }),
      ],
    },
    {
      title: 'What is learnt',
      panels: [
        graph({
          title: 'Knowledge',
          description: 'Rows in the vector store, of all accounts together.',
          unit: 'short',
          queries: { rows: `max(whetstone_rows{${chosen}})` },
          width: 8,
        }),
        graph({
          title: 'Collections',
          description: 'Collections in the vector store, of all accounts together.',
          unit: 'short',
          queries: { collections: `max(whetstone_collections{${chosen}})` },
          width: 8,
        }),
        graph({
          title: 'Jobs by what they taught',
          description: 'Jobs a second that stored something, and that had nothing to teach.',
          unit: 'ops',
          queries: {
            '{{outcome}}': `sum by (outcome) (rate(whetstone_jobs_total{outcome=~"stored|nothing_to_learn", ${chosen}}[$__rate_interval]))`,
          },
          width: 8,
          stacked: true,
        }),
        graph({
          title: 'Insights dropped',
          description:
            'Insights that were made and not kept, by reason, in each interval. Many that override instructions may be somebody trying.',
          unit: 'short',
          queries: {
            '{{reason}}': `sum by (reason) (increase(whetstone_insights_dropped_total{${chosen}}[$__rate_interval]))`,
          },
          stacked: true,
        }),
        graph({
          title: 'Secrets taken out',
          description:
            'Secrets taken out of uploads, by kind, in each interval. A kind that appears is an agent that logs its credentials.',
          unit: 'short',
          queries: {
            '{{kind}}': `sum by (kind) (increase(whetstone_redactions_total{${chosen}}[$__rate_interval])) > 0`,
          },
          stacked: true,
        }),
      ],
    },
    {
      title: 'The model that learns',
      panels: [
        graph({
          title: 'Time of a call, p95',
          description: 'Time within which 95 % of the calls of a model were answered, by operation and model.',
          unit: 's',
          queries: {
            '{{gen_ai_operation_name}} {{gen_ai_request_model}}': quantile(
              0.95,
              'gen_ai_client_operation_duration_seconds',
              { by: 'gen_ai_operation_name, gen_ai_request_model' },
            ),
          },
          width: 8,
        }),
        graph({
          title: 'Calls that failed',
          description: 'Calls a second that failed, by how.',
          unit: 'ops',
          queries: {
            '{{error_type}}': `sum by (error_type) (rate(gen_ai_client_operation_duration_seconds_count{error_type!="", ${chosen}}[$__rate_interval]))`,
          },
          width: 8,
          stacked: true,
        }),
        graph({
          title: 'Tokens',
          description: 'Tokens a second, as the endpoint counts them.',
          unit: 'short',
          queries: {
            '{{gen_ai_operation_name}} {{gen_ai_token_type}}': `sum by (gen_ai_operation_name, gen_ai_token_type) (rate(gen_ai_client_token_usage_sum{${chosen}}[$__rate_interval]))`,
          },
          width: 8,
          stacked: true,
        }),
      ],
    },
  ],
};
