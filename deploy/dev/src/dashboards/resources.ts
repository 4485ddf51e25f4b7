import { type DashboardDefinition, graph, redFrom } from './definition.js';
import { chosen, ofWhetstone } from './queries.js';
import { lateTurns, shareOfMemory } from './shared-panels.js';

export const resources: DashboardDefinition = {
  name: 'resources',
  title: 'Resources',
  question: 'Is a process short of something? Memory, CPU, the event loop, garbage collection, files.',
  rows: [
    {
      title: 'Memory',
      panels: [
        shareOfMemory,
        graph({
          title: 'Resident',
          description: 'Memory that the process has, worker threads and models included.',
          unit: 'bytes',
          queries: { '{{pod}}': `process_resident_memory_bytes{${chosen}} ${ofWhetstone}` },
        }),
        graph({
          title: 'Heap',
          description: 'Memory of the main thread that JavaScript uses.',
          unit: 'bytes',
          queries: { '{{pod}}': `nodejs_heap_size_used_bytes{${chosen}} ${ofWhetstone}` },
        }),
        graph({
          title: 'Outside the heap',
          description: 'Memory of buffers and of native code bound to objects.',
          unit: 'bytes',
          queries: { '{{pod}}': `nodejs_external_memory_bytes{${chosen}} ${ofWhetstone}` },
        }),
      ],
    },
    {
      title: 'CPU',
      panels: [
        graph({
          title: 'CPU',
          description: 'Cores that a process uses. The main thread uses one at most; worker threads come on top.',
          unit: 'none',
          queries: { '{{pod}}': `rate(process_cpu_seconds_total{${chosen}}[$__rate_interval]) ${ofWhetstone}` },
        }),
        graph({
          title: 'Garbage collection',
          description: 'Share of the time that the main thread spends collecting garbage.',
          unit: 'percentunit',
          queries: {
            '{{pod}}': `sum by (pod) (rate(nodejs_gc_duration_seconds_sum{${chosen}}[$__rate_interval]) ${ofWhetstone})`,
          },
          thresholds: redFrom(0.2),
        }),
        graph({
          title: 'Event loop, p50',
          description: 'How long a turn of the event loop waits.',
          unit: 's',
          queries: { '{{pod}}': `nodejs_eventloop_lag_p50_seconds{${chosen}} ${ofWhetstone}` },
        }),
        lateTurns,
      ],
    },
    {
      title: 'Processes',
      panels: [
        graph({
          title: 'Ready',
          description: 'Whether a process takes work.',
          unit: 'none',
          queries: { '{{component}} {{pod}}': `whetstone_ready{${chosen}}` },
          width: 8,
          max: 1,
        }),
        graph({
          title: 'Starts',
          description: 'Times that a process started again, in the last half hour.',
          unit: 'short',
          queries: { '{{pod}}': `changes(process_start_time_seconds{${chosen}}[30m]) ${ofWhetstone}` },
          thresholds: redFrom(3),
          width: 8,
        }),
        graph({
          title: 'Open files',
          description: 'Share of the files and connections that a process may have open.',
          unit: 'percentunit',
          queries: { '{{pod}}': `process_open_fds{${chosen}} / process_max_fds{${chosen}} ${ofWhetstone}` },
          thresholds: redFrom(0.8),
          width: 8,
        }),
      ],
    },
  ],
};
