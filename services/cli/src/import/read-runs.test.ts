import { type Format, formatOf, readRuns } from './read-runs.js';

const task = 'List the tables of the shop';
const sql = 'SELECT name FROM sqlite_master';
const lines = (...entries: unknown[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');

const openAi = [
  { role: 'system', content: 'You are careful.' },
  { role: 'user', content: task },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', function: { name: 'query', arguments: JSON.stringify({ sql }) } }],
  },
  { role: 'tool', tool_call_id: '1', content: 'orders' },
];
const anthropic = [
  { role: 'user', content: task },
  { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'query', input: { sql } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'orders' }] },
];
const done = { choices: [{ message: { role: 'assistant', content: 'There is one: orders.' } }] };
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const otlpSpan = (spanId: string, parentSpanId: string, attributes: object[]) => ({
  traceId: 'ab'.repeat(16),
  spanId: spanId.padStart(16, '0'),
  parentSpanId,
  attributes,
});

const files: [name: string, format: Format, file: string][] = [
  ['messages of OpenAI, a list in each line', 'messages', lines(openAi)],
  ['messages of Anthropic, as one document', 'messages', JSON.stringify([{ messages: anthropic }], null, 2)],
  [
    'a logged request with its response',
    'messages',
    lines({ request: { model: 'm', messages: openAi }, response: done }),
  ],
  [
    'traces of a Collector',
    'otlp',
    lines(
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  otlpSpan('2', '1'.padStart(16, '0'), [
                    text('gen_ai.operation.name', 'execute_tool'),
                    text('gen_ai.tool.name', 'query'),
                    text('gen_ai.tool.call.arguments', JSON.stringify({ sql })),
                    text('gen_ai.tool.call.result', 'orders'),
                  ]),
                ],
              },
            ],
          },
        ],
      },
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  otlpSpan('1', '', [
                    text('gen_ai.operation.name', 'invoke_agent'),
                    text('gen_ai.input.messages', JSON.stringify([{ role: 'user', content: task }])),
                  ]),
                ],
              },
            ],
          },
        ],
      },
    ),
  ],
  [
    'a trace of Langfuse',
    'langfuse',
    lines({
      id: 't1',
      name: 'shop',
      input: task,
      scores: [{ name: 'correct', value: 1 }],
      observations: [
        {
          id: 'o1',
          type: 'GENERATION',
          name: 'm',
          input: [{ role: 'user', content: task }],
          startTime: '2026-01-05T10:00:00Z',
        },
        { id: 'o2', type: 'TOOL', name: 'query', input: { sql }, output: 'orders', startTime: '2026-01-05T10:00:01Z' },
      ],
    }),
  ],
  [
    'runs of LangSmith',
    'langsmith',
    lines(
      {
        id: 'r2',
        trace_id: 'r1',
        parent_run_id: 'r1',
        run_type: 'tool',
        name: 'query',
        inputs: { sql },
        outputs: 'orders',
      },
      { id: 'r1', trace_id: 'r1', run_type: 'chain', name: 'shop', inputs: { messages: [['user', task]] } },
    ),
  ],
  [
    'a session of Claude Code',
    'transcript',
    lines(
      { type: 'user', sessionId: 's', message: { role: 'user', content: task } },
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: '1', name: 'query', input: { sql } }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: '1', content: 'orders' }] } },
    ),
  ],
];

describe.each(files)('%s', (_, format, file) => {
  it('is recognised, and becomes a run', () => {
    const { runs, skipped } = readRuns(file);

    expect(runs).toHaveLength(1);
    expect(runs[0]?.['query']).toBe(task);
    const [first] = (runs[0] as { turns: { decision: string; result?: string }[] }).turns;
    expect(first?.decision).toContain(sql);
    expect(first?.result).toBe('orders');
    expect([...skipped]).toEqual([]);
    expect(readRuns(file, format).runs).toEqual(runs);
  });
});

it('own uploads are taken as they are', () => {
  const upload = { tenant_id: 'shop', query: task, turns: [], success: true };

  expect(readRuns(lines(upload, upload)).runs).toEqual([upload, upload]);
});

it('an answer that the request does not have is the last step', () => {
  const { runs } = readRuns(lines({ request: { messages: openAi }, response: done }));

  expect((runs[0] as { turns: unknown[] }).turns).toHaveLength(2);
});

it('a list of conversations is as many runs', () => {
  expect(readRuns(JSON.stringify([openAi, anthropic])).runs).toHaveLength(2);
});

it('the scores of Langfuse say whether a run succeeded', () => {
  const scored = (value: number) =>
    readRuns(
      lines({
        id: 't',
        input: task,
        scores: [
          { name: 'task_success', value },
          { name: 'toxicity', value: 0 },
        ],
        observations: [{ id: 'o', type: 'TOOL', name: 'query', input: { sql }, output: 'x' }],
      }),
    ).runs[0]?.['success'];

  expect([scored(1), scored(0), scored(17)]).toEqual([true, false, undefined]);
});

it('what is not understood is counted by reason', () => {
  const file = [lines(openAi, { a: 1 }, [{ role: 'user', content: 'Hello' }]), '{"half":'].join('\n');
  const { runs, skipped } = readRuns(file);

  expect(runs).toHaveLength(1);
  expect(Object.fromEntries(skipped)).toEqual({ 'not JSON': 1, 'of no known format': 2 });
  expect(formatOf('text')).toBeUndefined();
});
