import type { Insight, SearchHit } from '@whetstone/contracts';

import { aHit, answerTo, times } from './test-kit/hits.js';

const task = 'Count the lines of all *.php files under /srv/app';

/** Every kind of lesson, for the task and for others. */
function everyLesson(): SearchHit[] {
  const recovery: Partial<Insight> = { kind: 'recovery', scope: 'error', errorClass: 'missing' };
  const failure: Partial<Insight> = { kind: 'pitfall', polarity: 'failure', rule: 'obstacle', errorClass: 'missing' };
  return [
    ...times(3, () => aHit({ task, example: 'ls a | wc -l' })),
    aHit({ task, example: 'ls b | wc -l', insight: { rule: 'model', steps: ['a', 'b'] } }),
    aHit({ task, insight: { rule: 'model' } }),
    aHit({ task, example: "ls '*.php'", insight: recovery }),
    aHit({ task, example: 'ls c', insight: failure }),
    aHit({ task, insight: { confidence: 0.2 } }),
    aHit({ task: task.replace('php', 'css'), example: 'find /srv/app -name "*.css" | xargs cat | wc -l' }),
    aHit({ task: 'Count the words of the book', example: 'wc -w book', similarity: 0.7 }),
    aHit({ task: 'Name the singers', example: 'SELECT name FROM singer', similarity: 0.7 }),
    aHit({ task: 'Name the songs', example: 'SELECT name FROM song', similarity: 0.7, insight: recovery }),
    aHit({ task: 'Name the cities', example: 'list_cities(country="x")', similarity: 0.7 }),
    aHit({ task: 'Answer the guest', insight: { rule: 'reply' }, similarity: 0.7 }),
    aHit({ task, insight: { scope: 'format', rule: 'format' } }),
  ];
}

const reworded = (hit: SearchHit, words: string): SearchHit => ({
  ...hit,
  insight: { ...hit.insight, title: words, appliesWhen: words, notWhen: words, content: words, steps: [words, words] },
});

const misleading = [
  'x',
  'tasks like “nothing”',
  'Send the bare action, without a code fence',
  'The answer that the run succeeded with: ls a | wc -l',
];

describe('the wording of lessons', () => {
  it.each(misleading)(
    'does not influence the choice: all lessons say %j, and the same ones are shown in the same order',
    async (words) => {
      const hits = everyLesson();
      const sets = [
        hits,
        hits.filter(({ intent }) => intent !== task),
        hits.filter(({ insight }) => insight.polarity === 'failure'),
        hits.filter(({ insight }) => insight.kind === 'recovery'),
      ];

      for (const set of sets) {
        const before = await answerTo(task, set);
        const after = await answerTo(
          task,
          set.map((hit) => reworded(hit, words)),
        );
        const told = ({ recommendations }: typeof before) =>
          recommendations.map(({ id, kind, support, sourceJobIds }) => ({ id, kind, support, sourceJobIds }));

        expect(before.recommendations.length).toBeGreaterThan(0);
        expect(told(after)).toEqual(told(before));
        expect(after.confidenceScore).toBe(before.confidenceScore);
      }
    },
  );

  it('does not influence the choice among old rows either', async () => {
    const old = (hit: SearchHit): SearchHit => ({
      ...hit,
      insight: { ...hit.insight, rule: 'old', actions: [], effects: ['unreadable'] },
    });
    const hits = [aHit({ task, example: 'ls a | wc -l' }), aHit({ task, example: 'ls  a  | wc -l' })].map(old);

    expect((await answerTo(task, hits)).recommendations).toMatchObject([{ support: 2 }]);
    expect((await answerTo(task, [old(aHit({ task, example: 'sudo rm -rf /' }))])).recommendations).toEqual([]);
  });
});

describe('words replaced in place', () => {
  const past = aHit({
    task: 'plot the yield against rain and heat from crops.csv and print a summary',
    example: "d <- read.csv('crops.csv')\nplot(yield ~ rain + heat, data = d)",
    similarity: 0.92,
  });

  it('are named as the difference', async () => {
    const { added } = await answerTo('plot the yield against sun and soil from crops.csv and print a summary', [past]);

    expect(added).toContain('Difference: that task says “rain” and “heat”, this one says “sun” and “soil”.');
  });

  it('are not where the sentence is another one', async () => {
    const { added } = await answerTo('from crops.csv, plot the yield against heat and rain, then print a summary', [
      past,
    ]);

    expect(added).toContain('plot(yield ~ rain + heat');
    expect(added).not.toContain('Difference');
  });
});
