import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { createBodyChecks } from './body-checks.js';
import { nothingToSet } from './collection-settings.js';
import { expiresTwice } from './keys.js';
import { nothingToChange } from './lessons.js';
import { agentInputSchema, agentKnowledgeUploadSchema } from './requests.js';

const checks = createBodyChecks({ compileNow: true });
const upload = { tenant_id: 'shop', query: 'Buy milk', turns: [{ turn: 1, inputs: 'a', decision: 'b' }] };
const input = { tenant_id: 'shop', input_text: 'Buy milk' };

function uploadProblems(change: object) {
  const { problems = [] } = checks.agentKnowledgeUpload({ ...upload, ...change });
  return problems.map(({ loc, type, msg }) => [loc.join('.'), type, msg]);
}

function turnProblems(turn: unknown) {
  return uploadProblems({ turns: [turn] });
}

// Types and messages as FastAPI 0.162 with pydantic 2.14 gives them.
describe('a body that does not fit', () => {
  it.each([
    [{ tenant_id: 1 }, 'body.tenant_id', 'string_type', 'Input should be a valid string'],
    [{ tenant_id: '' }, 'body.tenant_id', 'string_too_short', 'String should have at least 1 character'],
    [{ tenant_id: 'x'.repeat(513) }, 'body.tenant_id', 'string_too_long', 'String should have at most 512 characters'],
    [{ query: null }, 'body.query', 'string_type', 'Input should be a valid string'],
    [{ turns: null }, 'body.turns', 'list_type', 'Input should be a valid list'],
    [{ turns: {} }, 'body.turns', 'list_type', 'Input should be a valid list'],
    [
      { turns: [7] },
      'body.turns.0',
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [
      { success: 'maybe' },
      'body.success',
      'bool_parsing',
      'Input should be a valid boolean, unable to interpret input',
    ],
    [{ success: 2 }, 'body.success', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    [{ success: 0.5 }, 'body.success', 'bool_type', 'Input should be a valid boolean'],
    [{ success: [] }, 'body.success', 'bool_type', 'Input should be a valid boolean'],
    [{ agent_type: {} }, 'body.agent_type', 'string_type', 'Input should be a valid string'],
    [{ metadata: [] }, 'body.metadata', 'dict_type', 'Input should be a valid dictionary'],
    [{ timestamp: true }, 'body.timestamp', 'datetime_type', 'Input should be a valid datetime'],
    [
      { timestamp: '2026-02-30T00:00:00' },
      'body.timestamp',
      'datetime_parsing',
      'Input should be a valid datetime, day value is outside expected range',
    ],
  ])('%j', (change, ...problem) => {
    expect(uploadProblems(change)).toEqual([problem]);
  });

  it.each([
    [null, 'int_type', 'Input should be a valid integer'],
    ['7', 'int_type', 'Input should be a valid integer'],
    [true, 'int_type', 'Input should be a valid integer'],
    ['one', 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'],
    [1.5, 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
    [1e300, 'int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size'],
    [Number.POSITIVE_INFINITY, 'int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size'],
  ])('the turn number %j', (turn, ...problem) => {
    expect(turnProblems({ turn, inputs: '', decision: '' })).toEqual([['body.turns.0.turn', ...problem]]);
  });

  it.each(['inputs', 'decision'])('a turn whose %s are null', (field) => {
    expect(turnProblems({ turn: 1, inputs: {}, decision: [], [field]: null })).toEqual([
      [`body.turns.0.${field}`, 'string_type', 'Input should be a valid string'],
    ]);
  });

  it.each([null, [], 'text', 7, true])('that is %j is no object', (value) => {
    expect(checks.agentInput(value).problems).toEqual([
      {
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
        type: 'model_attributes_type',
      },
    ]);
  });

  it('is told with every problem at once, in the order of the fields', () => {
    const turns = [
      { turn: 'one', inputs: 'a' },
      'nothing',
      { turn: 2, inputs: null, decision: 'd', memory: 3, result: [] },
    ];

    expect(uploadProblems({ tenant_id: undefined, turns, success: 'x' }).map(([place]) => place)).toEqual([
      'body.tenant_id',
      'body.turns.0.turn',
      'body.turns.0.decision',
      'body.turns.1',
      'body.turns.2.inputs',
      'body.success',
    ]);
  });

  it('is told with at most 100 problems', () => {
    expect(uploadProblems({ turns: Array.from({ length: 200_000 }, () => ({})) })).toHaveLength(100);
    const context = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, index]));
    expect(checks.agentInput({ ...input, context }).problems).toHaveLength(100);
  });
});

describe('a body that fits', () => {
  it.each([
    { success: null, agent_type: null, timestamp: null, metadata: null },
    { success: 'FALSE', turns: [] },
    { success: 'Yes' },
    { success: 1 },
    { unknown: [{ deep: 1 }], tenant_id: '🪨'.repeat(512) },
    ...[{}, { a: [1, { b: null }] }, [], [null], 0, -1.5, 1e308, JSON.parse('1e400'), true, false, '', 'text'].map(
      (any) => ({
        turns: [{ turn: 1, inputs: any, decision: any, memory: any, result: any }],
      }),
    ),
    { turns: [{ turn: -1, inputs: '\u0000', decision: '', memory: null, result: '', extra: 1 }] },
    JSON.parse('{"__proto__": {"tenant_id": 7}, "metadata": {"__proto__": 1, "constructor": 2}}'),
  ])('%j', (change) => {
    expect(checks.agentKnowledgeUpload({ ...upload, ...change }).problems).toBeUndefined();
  });

  it('owns its fields: what is inherited is missing', () => {
    expect(checks.agentInput(JSON.parse('{"__proto__": {"tenant_id": "x", "input_text": "y"}}')).problems).toHaveLength(
      2,
    );
  });
});

describe('AgentInput', () => {
  it.each(['', ' ', '\n\t\r', '\u00a0\u2003'])(
    'needs a character that is not white space, which %j has not',
    (text) => {
      expect(checks.agentInput({ ...input, input_text: text }).problems).toMatchObject([
        { loc: ['body', 'input_text'], type: 'string_too_short' },
      ]);
    },
  );

  it('has at most 256 KiB of input_text and context together, as UTF-8', () => {
    const half = 128 * 1024;
    const sized = (extra: number) => ({
      ...input,
      input_text: 'x'.repeat(half),
      context: { k: 'é'.repeat(half / 2 - 1) + 'y'.repeat(1 + extra) },
    });

    expect(checks.agentInput(sized(0)).problems).toBeUndefined();
    expect(checks.agentInput(sized(1)).problems).toMatchObject([
      { loc: ['body', 'input_text'], type: 'string_too_long' },
    ]);
  });

  it('names a place in valid Unicode, whatever the name of the field is', () => {
    expect(checks.agentInput({ ...input, context: { 'a\ud800': 7 } }).problems).toMatchObject([
      { loc: ['body', 'context', 'a\ufffd'], type: 'string_type' },
    ]);
  });

  it('tells that it is too long together with everything else', () => {
    const { problems } = checks.agentInput({ ...input, input_text: 'x'.repeat(256 * 1024 + 1), agent_type: 7 });

    expect(problems).toMatchObject([
      { loc: ['body', 'agent_type'], type: 'string_type' },
      { loc: ['body', 'input_text'], type: 'string_too_long' },
    ]);
  });
});

// Whether a body fits is said by ajv, what is wrong with it by `explain`: both read the same schema, and have to agree.
it('a body is refused with at least one problem, or not at all', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      'true',
      'OFF',
      '2026-03-05T18:15:37Z',
      '2026-02-30T18:15:37Z',
      '2026-03-05',
      0,
      1,
      -0,
      2 ** 53,
      Number.POSITIVE_INFINITY,
    ),
  );
  const turn = fc.record(
    {
      turn: fc.oneof(fc.integer(), anything),
      inputs: fc.oneof(fc.string(), anything),
      decision: fc.string(),
      memory: anything,
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      tenant_id: fc.oneof(fc.string(), anything),
      query: fc.oneof(fc.string(), anything),
      input_text: fc.oneof(fc.string(), anything),
      context: fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.string(), anything)), anything),
      turns: fc.oneof(fc.array(turn), anything),
      success: anything,
      agent_type: anything,
      timestamp: anything,
      metadata: anything,
    },
    { requiredKeys: [] },
  );

  fc.assert(
    fc.property(fc.oneof(body, anything), (value) => {
      for (const { problems } of [checks.agentKnowledgeUpload(value), checks.agentInput(value)]) {
        expect(problems?.length ?? 1).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2000 },
  );
});

it.each([{}, { state: null, note: null }, { unknown: 1 }])(
  'the change of a lesson that says nothing is refused as a whole: %j',
  (body) => {
    expect(checks.lessonChange(body)).toEqual({ problems: [nothingToChange] });
  },
);

it.each([{ state: 'muted' }, { note: 'why' }, { text: null }, { state: null, title: 'New' }])(
  'the change of a lesson that says something is accepted: %j',
  (body) => {
    expect(checks.lessonChange(body)).toEqual({ body });
  },
);

it('the problems of fields come before that of the whole', () => {
  const both = { scopes: ['ask'], expires_in_days: 1, expires_at: '2027-01-01T00:00:00Z' };

  expect(checks.keyRequest(both)).toEqual({ problems: [expiresTwice] });
  expect(checks.keyRequest({ ...both, expires_at: null }).problems).toBeUndefined();
  expect(checks.keyRequest({ ...both, trust: 'none' }).problems).toEqual([
    { loc: ['body', 'trust'], msg: "Input should be 'low', 'normal' or 'high'", type: 'literal_error' },
  ]);
  expect(checks.collectionChange({ review: null, holdout_share: null })).toEqual({ problems: [nothingToSet] });
  expect(checks.collectionChange({ retention_days: 0 }).problems).toBeUndefined();
});

it.each([
  ['a reason', true],
  [' \u00a0x', true],
  ['x'.repeat(200), true],
  ['\u00a0 ', false],
  ['two\nlines', false],
  ['\u0085x', false],
  ['x\u007f', false],
])('the reason of a key is one line of text: %j is valid: %s', (reason, isValid) => {
  expect(checks.keyRequest({ scopes: ['ask'], reason }).problems === undefined).toBe(isValid);
});

it('the schemas of bodies are schemas', () => {
  const ajv = new Ajv2020();
  for (const schema of [agentInputSchema, agentKnowledgeUploadSchema])
    expect(ajv.validateSchema(schema, true)).toBe(true);
});
