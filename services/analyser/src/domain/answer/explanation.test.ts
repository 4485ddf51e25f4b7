import { type Asking, aHit, answerTo, type HitOptions, times } from './test-kit/hits.js';

const task = 'Show the large logs of 2025';
const named = (name: string, more: HitOptions = {}) => aHit({ task, name: `${name}.v.${more.task ?? task}`, ...more });
const x = (more: HitOptions) => named('x', more);
const other = (example: string, more: HitOptions = {}) => named('other', { example, ...more });
const query = (name: string, of: string, example: string, changes: string[] = []) =>
  named(name, { task: of, example, similarity: 0.75, run: { changes } });
const failure = { kind: 'pitfall', polarity: 'failure' } as const;
const format = { ...failure, scope: 'format', rule: 'format' } as const;
/** Still the best. */
const doubtful: HitOptions = { votes: { helped: 0, harmed: 1 }, insight: { confidence: 1 } };

const cases: [reason: string, hits: ReturnType<typeof aHit>[], asking?: Asking & { task?: string }][] = [
  ['not_about_tasks', [x({ insight: format })]],
  ['below_floor', [x({ task: 'Book a flight', similarity: 0.2, example: 'ls' })]],
  [
    'other_agent',
    [x({ task: 'Book a flight', similarity: 0.6, example: 'ls', origin: { agentType: 'sql' } })],
    { agentType: 'shell' },
  ],
  ['failed_elsewhere', [x({ task: 'Show the small users', similarity: 0.7, insight: failure })]],
  ['low_confidence', [x({ task: 'Name bands', similarity: 0.7, example: 'SELECT 1', insight: { confidence: 0.1 } })]],
  ['low_confidence', [other('ls -lS logs'), x({ example: 'ls -S logs', insight: { confidence: 0.1 } })]],
  ['opposite_task', [x({ task: 'Hide the large logs of 2025', similarity: 0.95, example: 'mv logs/2025 .logs' })]],
  ['unclear_intent', [x({ task: 'Pack the large logs', similarity: 0.8, example: 'gzip logs/a' })]],
  [
    'poor_substitute',
    [
      named('other', {
        task: 'Ship order 7',
        similarity: 0.8,
        example: 'ship(order=7)',
        insight: { effects: ['changes'] },
      }),
      x({ task: 'Ship the books', similarity: 0.5, example: 'get_books(page=1)', origin: { agentType: 'shop' } }),
    ],
    { task: 'Who shipped order 7?', agentType: 'shop' },
  ],
  ['low_trust', [x({ example: 'ls -S', origin: { trust: 'low' } })]],
  ['needs_agreement', [x({ example: 'npx some-helper@latest' })]],
  ['muted', [x({ example: 'ls -S' })], { verdicts: [{ lesson: 'x', state: 'muted' }] }],
  ['rejected', [x({ example: 'ls -S' })], { verdicts: [{ lesson: 'x', state: 'rejected' }] }],
  ['not_reviewed', [x({ example: 'ls -S' })], { settings: { review: 'required' } }],
  ['contradicted_by_outcomes', [x({ example: 'ls -S', votes: { helped: 0, harmed: 9 } })]],
  ['similar_only', [other('ls -S'), x({ task: 'Show logs', similarity: 0.8, example: 'SELECT log FROM logs' })]],
  ['other_values', [other('ls logs/2025'), x({ task: 'Show the large logs of 2024', example: 'du logs/2024' })]],
  ['not_needed', [other('ls -S'), x({ insight: failure })]],
  ['not_needed', [other('ls -S'), x({ example: 'ls -lS', insight: { kind: 'recovery', scope: 'error' } })]],
  ['risky_way', [other('ls -S'), ...times(3, () => x({ example: 'npx some-helper@latest', similarity: 0.9 }))]],
  ['same_way', [other('ls -S', { insight: { confidence: 1 } }), x({ example: 'ls -S\nls -S | cat' })]],
  ['another_way', [other('ls -S'), x({ example: 'du -a logs' })]],
  ['own_task_only', [x({ task: 'Tell about logs', similarity: 0.7, insight: { rule: 'reply' } })]],
  ['own_task_only', [x({ task: 'Show the large logs of 2024', example: 'ls logs/2024', insight: failure })]],
  [
    'not_typical',
    [
      query('a', 'Name the singers', 'SELECT name FROM singer', ['told']),
      query('b', 'Name the drummers', 'SELECT name FROM drummer', ['told']),
      query('x', 'Name the bands', 'SELECT name FROM band'),
    ],
    { task: 'Name the festivals' },
  ],
  [
    'unlike_command',
    ['ls -a', 'ls -S'].map((example, at) =>
      named(at === 0 ? 'x' : 'other', { task: `Show ${example}`, example, similarity: 0.75 + at / 10 }),
    ),
    { task: 'Show things' },
  ],
  [
    'unrelated_error',
    [
      query('other', 'Name singers', 'SELECT name FROM singer'),
      x({
        task: 'Name bands',
        similarity: 0.75,
        example: 'SELECT name FROM band',
        insight: { kind: 'recovery', scope: 'error' },
      }),
    ],
    { task: 'Name drummers' },
  ],
  [
    'too_many',
    [
      ...['singers', 'drummers', 'bands'].map((name) => query(name, `Name ${name}`, `SELECT name FROM ${name}`)),
      x({ task: 'Name albums', example: 'SELECT name FROM albums', similarity: 0.7 }),
    ],
    { task: 'Name festivals' },
  ],
  ['too_many', [other('ls -S', doubtful), x({ example: 'du -a' })], { maxRecommendations: 1 }],
  ['nothing_to_show', [x({ example: ' ' })]],
  ['over_budget', [other('ls -S', doubtful), x({ example: 'du -a' })], { budgetChars: 10 }],
  ['without_example', [], { habits: times(3, (at) => named('x', { task: `T${at}`, insight: format })) }],
  [
    'folded_into_another',
    [...times(2, () => other('ls logs/2025')), x({ task: 'Show the large logs of 2024', example: 'ls logs/2024' })],
  ],
  [
    'folded_into_another',
    ['Rest.', 'Rest.'].map((content, at) =>
      named(at === 0 ? 'other' : 'x', { task: `Think ${at}`, similarity: 0.8, insight: { content, rule: 'rule' } }),
    ),
    { task: 'Think' },
  ],
  ['held_out', [x({ example: 'ls -S' })], { holdoutShare: 1 }],
  ['told', [x({ example: 'ls -S' })]],
  ['pinned', [x({ example: 'ls -S' })], { verdicts: [{ lesson: 'x', state: 'pinned' }] }],
];

describe('what becomes of a lesson', () => {
  it.each(cases)('is explained: %s', async (reason, hits, { task: asked = task, ...asking } = {}) => {
    const { candidates } = await answerTo(asked, hits, asking);
    const found = candidates.find(({ id }) => id === 'x');

    expect(found).toMatchObject({ reason, because: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(found?.told).toBe(reason === 'told' || reason === 'pinned');
  });

  it('is told of every lesson once, nearest first, with all its runs', async () => {
    const far = query('far', 'Book a flight', 'SELECT 1');
    const { candidates } = await answerTo(task, [far, ...times(2, () => x({ example: 'ls -S' }))]);

    expect(candidates).toEqual([
      {
        id: 'x',
        kind: 'strategy',
        title: expect.any(String),
        task,
        similarity: 1,
        support: 2,
        told: true,
        reason: 'told',
        because: expect.any(String),
      },
      expect.objectContaining({ id: 'far', task: 'Book a flight', similarity: 0.75, told: false }),
    ]);
  });
});
