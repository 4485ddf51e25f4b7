import { readFileSync } from 'node:fs';

import { assembleRun } from './assemble-run.js';
import { decodeTraces, encodeAnswer, type OtlpSpan, readTraces } from './otlp.js';
import { lacksContent, type RunSpan, readSpan } from './read-span.js';

const task = 'Show the ten largest files below /srv';
const command = 'du -a /srv | sort -rn | head';

let made = 0;
function span(attributes: Record<string, unknown>, more: Partial<OtlpSpan> = {}): OtlpSpan {
  made += 1;
  return {
    traceId: 'a'.repeat(32),
    id: made.toString(16).padStart(16, '0'),
    parent: 'f'.repeat(16),
    name: 'span',
    start: made * 1000,
    end: made * 1000 + 500,
    attributes,
    events: [],
    resource: { 'service.name': 'ops' },
    ...more,
  };
}
const event = (name: string, attributes: Record<string, unknown>) => ({ name, attributes });
const runOf = (...spans: OtlpSpan[]) => assembleRun(spans.flatMap((one) => readSpan(one) ?? []));
const root = { parent: undefined } as unknown as Partial<OtlpSpan>;

describe('a request by OTLP', () => {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'ops' } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '0AF7651916CD43DD8448EB211C80319C',
                spanId: 'b7ad6b7169203331',
                parentSpanId: '0000000000000000',
                name: 'a',
                startTimeUnixNano: '1772734537000000500',
                endTimeUnixNano: 1772734538000000000,
                attributes: [
                  { key: 'n', value: { intValue: '42' } },
                  { key: 'list', value: { arrayValue: { values: [{ boolValue: true }, { doubleValue: 0.5 }] } } },
                  { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { stringValue: '' } }] } } },
                  { key: 'none', value: {} },
                ],
                events: [{ name: 'e', attributes: [] }],
                status: { code: 2, message: 'no' },
              },
            ],
          },
        ],
      },
    ],
  };

  it('is read from JSON', () => {
    expect(readTraces(request)).toEqual([
      {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        id: 'b7ad6b7169203331',
        name: 'a',
        start: 1772734537000000,
        end: 1772734538000000,
        attributes: { n: 42, list: [true, 0.5], map: { k: '' }, none: undefined },
        events: [{ name: 'e', attributes: {} }],
        error: 'no',
        resource: { 'service.name': 'ops' },
      },
    ]);
    expect(readTraces({})).toEqual([]);
  });

  it('is read from protobuf, skipping what it does not know', () => {
    // A span with the ids 0x0a…, one attribute `k` = `v`, an unknown field 99 and an error without a message.
    const attribute = '4a080a016b12030a0176';
    const body = `0a10${'0a'.repeat(16)}1208${'0b'.repeat(8)}2a0161${attribute}98060a7a021802`;
    const inside = (tag: string, hex: string) => `${tag}${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
    const [read] = decodeTraces(Buffer.from(inside('0a', inside('12', inside('12', body))), 'hex'));

    expect(read).toMatchObject({ id: '0b'.repeat(8), name: 'a', attributes: { k: 'v' }, error: '', start: 0 });
    expect(read).not.toHaveProperty('parent');
  });

  it.each([
    ['bytes that are none', () => decodeTraces(Buffer.from('garbage'))],
    ['a text', () => readTraces('text')],
    ['spans that are no list', () => readTraces({ resourceSpans: [{ scopeSpans: [{ spans: {} }] }] })],
    [
      'an id that is too short',
      () => readTraces({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'ab' }] }] }] }),
    ],
  ])('is refused if it is %s', (_, read) => {
    expect(read).toThrow();
  });

  it('is answered in protobuf', () => {
    expect(encodeAnswer()).toHaveLength(0);
    expect(Buffer.from(encodeAnswer({ rejectedSpans: 2, errorMessage: 'why' })).toString('hex')).toBe(
      '0a0708021203776879',
    );
  });
});

describe('a run is made of', () => {
  const shown = { query: task, turns: [{ turn: 1, inputs: '', decision: callOf('run'), result: '9 files' }] };

  it('the semantic conventions for generative AI', () => {
    const run = runOf(
      span({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'run',
        'gen_ai.tool.call.arguments': JSON.stringify({ command }),
        'gen_ai.tool.call.result': '"9 files"',
      }),
      span({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bot', ...said('user', task) }, root),
    );

    expect(run).toMatchObject({ ...shown, agentType: 'bot' });
    expect(run).not.toHaveProperty('success');
  });

  it('messages in events', () => {
    expect(
      runOf(
        span({ 'gen_ai.operation.name': 'invoke_agent' }, { events: [event('gen_ai.user.message', parts(task))] }),
        span(
          { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'run' },
          {
            events: [
              event('gen_ai.tool.message', { content: JSON.stringify({ command }) }),
              event('gen_ai.choice', { message: JSON.stringify([{ text: '9 files' }]) }),
            ],
          },
        ),
      ),
    ).toMatchObject({ ...shown, agentType: 'ops' });
  });

  it('OpenInference', () => {
    const output = JSON.stringify({ type: 'tool', data: { content: '9 files', type: 'tool' } });
    expect(
      runOf(
        span({ 'openinference.span.kind': 'CHAIN', 'input.value': JSON.stringify({ messages: [['user', task]] }) }),
        span({
          'openinference.span.kind': 'TOOL',
          'tool.name': 'run',
          'input.value': JSON.stringify({ command }),
          'output.value': output,
        }),
      ),
    ).toMatchObject(shown);
  });

  it('answers of a model, where no span shows a tool', () => {
    const llm = (at: number, role: string, more: object) =>
      span({ 'openinference.span.kind': 'LLM', ...more, ...flat(at, role) });
    const flat = (at: number, role: string) => ({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': task,
      [`llm.input_messages.${at}.message.role`]: role,
      [`llm.input_messages.${at}.message.content`]: role === 'tool' ? '9 files' : task,
    });
    const call = 'llm.output_messages.0.message.tool_calls.0.tool_call.function';
    const run = runOf(
      llm(0, 'user', { [`${call}.name`]: 'run', [`${call}.arguments`]: JSON.stringify({ command }) }),
      llm(1, 'tool', {
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Nine.',
      }),
    );

    expect(run?.turns).toEqual([
      { turn: 1, inputs: task, decision: callOf('run'), result: '9 files' },
      { turn: 2, inputs: '', decision: 'Nine.' },
    ]);
  });

  it('what an agent behind a tool did, not of the tool itself', () => {
    const outer = span({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'ask_expert',
      ...args({ about: 'disk' }),
    });
    const agent = span({ 'gen_ai.operation.name': 'invoke_agent', ...said('user', task) }, { parent: outer.id });
    const inner = span(
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'run', ...args({ command }) },
      { parent: agent.id },
    );

    expect(runOf(inner, agent, outer)?.turns).toMatchObject([{ decision: callOf('run') }]);
  });

  it('spans in any order, each once', () => {
    const spans = Array.from({ length: 4 }, (_, at) => tool(`ls ${at}`));
    const all = [span({ 'gen_ai.operation.name': 'invoke_agent', ...said('user', task) }, root), ...spans];

    expect(runOf(...all.reverse(), ...all)).toEqual(runOf(...all));
    expect(runOf(...all)?.turns.map(({ decision }) => decision)).toEqual(
      [0, 1, 2, 3].map((at) => callOf('run', `ls ${at}`)),
    );
  });

  it('nothing, if either the task or the steps are missing', () => {
    expect(runOf(tool('ls'))).toBeUndefined();
    expect(runOf(span({ 'gen_ai.operation.name': 'invoke_agent', ...said('user', task) }))).toBeUndefined();
    expect(runOf(span({ 'http.route': '/' }))).toBeUndefined();
  });

  it('texts of bounded length, however many steps there are', () => {
    const agent = span({ 'gen_ai.operation.name': 'invoke_agent', ...said('user', task) });
    const long = runOf(agent, tool('x'.repeat(100_000)));
    const many = runOf(agent, ...Array.from({ length: 1500 }, () => tool('y'.repeat(20_000))));

    expect(long?.turns[0]?.decision).toMatch(/^run\(.{30000,34000}… \(\d+ more characters\)$/);
    expect(many?.turns).toHaveLength(1000);
    expect(JSON.stringify(many).length).toBeLessThan(3_000_000);
  });
});

/** What the emitters sent of an agent whose model is a script. */
it.each(['openinference-langchain', 'pydantic-ai', 'strands', 'vercel-ai-sdk'])(
  'a trace recorded from %s is read',
  (name) => {
    const recorded = decodeTraces(readFileSync(new URL(`../recorded/${name}.pb`, import.meta.url)));
    const run = runOf(...recorded);

    expect(run).toMatchObject({
      query: 'Delete all .log files larger than 10 MB below /srv/app',
      turns: [{ decision: expect.stringMatching(/^run_shell\(.*find \/srv\/app -name/), result: 'deleted 3 files' }],
    });
    expect(run?.turns).toHaveLength(1);
  },
);

describe('the outcome of a run', () => {
  const outcome = (...spans: OtlpSpan[]) =>
    runOf(tool('ls'), ...spans, span({ 'gen_ai.operation.name': 'chat', ...said('user', task) }))?.success;
  const judged = (attributes: object) => span({}, { events: [event('gen_ai.evaluation.result', { ...attributes })] });

  it.each([
    ['a score', judged({ 'gen_ai.evaluation.score.value': 0.9 }), true],
    ['a low score', judged({ 'gen_ai.evaluation.score.value': 0.2 }), false],
    ['a label', judged({ 'gen_ai.evaluation.score.label': 'Pass' }), true],
    ['a score of another scale', judged({ 'gen_ai.evaluation.score.value': 3 }), undefined],
    [
      'a label, whatever the score',
      judged({ 'gen_ai.evaluation.score.label': 'fail', 'gen_ai.evaluation.score.value': 0.9 }),
      false,
    ],
    ['a label in other words', judged({ 'gen_ai.evaluation.score.label': 'fluent' }), undefined],
    ['an attribute', span({ 'whetstone.success': true }), true],
    ['an error of the root', span({}, { ...root, start: 0, error: '' }), false],
    ['an error of a step', span({ 'gen_ai.operation.name': 'execute_tool' }, { error: 'no' }), undefined],
  ])('is told by %s', (_, told, success) => {
    expect(outcome(told)).toBe(success);
  });

  it('is that of all evaluations together', () => {
    expect(
      outcome(judged({ 'gen_ai.evaluation.score.value': 1 }), judged({ 'gen_ai.evaluation.score.value': 0 })),
    ).toBe(false);
  });
});

it('a step that failed has its error as the result', () => {
  const failed = span(
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'run', ...args({ command }) },
    {
      error: '',
      events: [event('exception', { 'exception.message': 'timed out' })],
    },
  );

  expect(runOf(failed, span({ 'gen_ai.operation.name': 'chat', ...said('user', task) }))?.turns[0]?.result).toBe(
    'Error: timed out',
  );
});

it('an answer with recommendations is cited', () => {
  const cited = span({ 'whetstone.enhancement_id': 'enh_1' });

  expect(runOf(cited, tool('ls'), span({ 'gen_ai.operation.name': 'chat', ...said('user', task) }))?.metadata).toEqual({
    enhancement_id: 'enh_1',
  });
});

describe('a hostile span', () => {
  it('reaches no prototype, whatever its attributes are called', () => {
    const names = ['__proto__.polluted', '0.__proto__.polluted', 'constructor.prototype.polluted'];
    const attributes = Object.fromEntries(names.map((name) => [`llm.input_messages.${name}`, 'x']));
    readSpan(
      span(
        { 'openinference.span.kind': 'LLM', ...attributes },
        { events: [event('e', JSON.parse('{"__proto__":{"a":1}}'))] },
      ),
    );
    readSpan(span({ 'gen_ai.operation.name': '__proto__' }));

    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect(readSpan(span({ 'gen_ai.operation.name': 'constructor' }))).toBeUndefined();
  });

  it('may nest its JSON and its names as deeply as it likes', () => {
    const deep = '['.repeat(16_000) + ']'.repeat(16_000);
    const run = runOf(
      span({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'run', 'gen_ai.tool.call.arguments': deep }),
      span({
        'gen_ai.operation.name': 'chat',
        [`llm.input_messages.${'a.'.repeat(5000)}b`]: 'x',
        ...said('user', task),
      }),
    );

    expect(run?.turns[0]?.decision).toMatch(/^run\("\[\[/);
  });

  it('may be one of many in a chain, or in a circle', () => {
    const chain = Array.from({ length: 5000 }, (_, at) => ({
      ...tool(`ls ${at}`),
      id: at.toString(16).padStart(16, 'c'),
      parent: (at + 1).toString(16).padStart(16, 'c'),
    }));
    const circle = { ...tool('date'), id: '1'.repeat(16), parent: '1'.repeat(16) };
    const events = Array.from({ length: 200_000 }, () => event('', {}));
    const agent = span({ 'gen_ai.operation.name': 'invoke_agent', ...said('user', task) }, { events });

    expect(runOf(agent, ...chain)?.turns).toHaveLength(1);
    expect(runOf(agent, circle)).toBeUndefined();
  });

  it('leaves no half characters', () => {
    const run = runOf(
      tool(`${'x'.repeat(32_767 - 15)}😀`),
      span({ 'gen_ai.operation.name': 'chat', ...said('user', 'a\ud83d') }),
    );

    expect(JSON.stringify(run)).not.toMatch(/\\ud83d/);
  });
});

it('spans without content are told apart', () => {
  const kinds = ['chat', 'execute_tool'].map(
    (operation) => readSpan(span({ 'gen_ai.operation.name': operation })) as RunSpan,
  );

  expect(kinds.map(lacksContent)).toEqual([true, true]);
  expect(lacksContent(readSpan(tool('ls')) as RunSpan)).toBe(false);
});

function tool(line: string): OtlpSpan {
  return span({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'run', ...args({ command: line }) });
}

function args(value: object) {
  return { 'gen_ai.tool.call.arguments': JSON.stringify(value) };
}

function callOf(name: string, line = command): string {
  return `${name}(${JSON.stringify({ command: line })})`;
}

function said(role: string, content: string) {
  return { 'gen_ai.input.messages': JSON.stringify([{ role, parts: [{ type: 'text', content }] }]) };
}

function parts(text: string) {
  return { content: JSON.stringify([{ text }]) };
}
