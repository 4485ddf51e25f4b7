import type { Insight, Recommendation, SearchHit } from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';

import { createEnhanceTask, defaultEnhanceConfig } from './enhance-task.js';

const task = 'Repair every bicycle with a flat tyre';
let made = 0;

/** A lesson of the very task that is asked about, unless it says otherwise. */
function aHit(insight: Partial<Insight> = {}, rest: Partial<SearchHit> = {}): SearchHit {
  const number = ++made;
  return {
    id: `row-${number}`,
    intent: task,
    similarity: 1,
    score: 1 / number,
    insight: {
      kind: 'strategy',
      title: `Way ${number}`,
      appliesWhen: `tasks like “${task}”`,
      content: `Take way ${number}.`,
      steps: [],
      polarity: 'success',
      evidence: [1],
      confidence: 0.7,
      ...insight,
    },
    run: { outcome: 'success', judged: false, uses: [`way_${number}`] },
    origin: {
      jobId: `job-${number}`,
      keyId: 'k',
      acceptedAt: 1,
      bodyDigest: `digest-${number}`,
      producer: { name: 'reflector', version: '2' },
    },
    ...rest,
  };
}

async function told(hits: SearchHit[], inputText = task): Promise<Recommendation[]> {
  const enhance = createEnhanceTask({
    knowledge: { search: () => Promise.resolve({ hits }) },
    enhancementIds: { issue: () => 'token' },
    clock: { now: () => 1 },
    registry: new Registry(),
    config: defaultEnhanceConfig,
  });
  const { recommendations } = await enhance({ collectionId: 'c', inputText, context: {} }, {});
  return recommendations;
}

it('does not say of a lesson of the very task that it is for tasks like it, nor the same condition twice', async () => {
  const [own] = await told([aHit()]);
  const [first, second] = await told([
    aHit({}, { similarity: 0.7, intent: 'Mend wheels' }),
    aHit({ title: 'Patch', content: 'Put a patch on the hole.' }, { similarity: 0.7, intent: 'Mend wheels' }),
  ]);

  const [other] = await told([aHit({}, { intent: 'Repair every bicycle with a flat saddle' })]);

  expect(own?.text).not.toContain('When:');
  expect(other?.text).toContain('When:');
  expect(first?.text).toContain('When:');
  expect(second?.text).toContain('When: as above.');
});

it('says the same sentence once', async () => {
  const warning = (error: string): Partial<Insight> => ({
    kind: 'pitfall',
    title: error,
    content: `\`pump\` ended in “${error}”. Look at the valve first.`,
    example: `pump ${error}`,
    polarity: 'failure',
  });
  const [first, second] = await told([aHit(warning('no air')), aHit(warning('wrong nozzle in the box'))]);

  expect(first?.text).toContain('Look at the valve first.');
  expect(second?.text).not.toContain('Look at the valve first.');
});

it('says what failed runs have found after what led to a success', async () => {
  const found = aHit({ kind: 'recovery', polarity: 'failure', confidence: 0.9, content: 'Another pump got past it.' });
  const recommendations = await told([found, aHit(), aHit({ title: 'Patch', content: 'Put a patch on the hole.' })]);

  expect(recommendations.map(({ kind }) => kind)).toEqual(['strategy', 'strategy', 'recovery']);
});

it('warns of what went wrong at other tasks only where it did so in several runs and can in any task', async () => {
  const warning = (insight: Partial<Insight>) =>
    aHit(
      { kind: 'pitfall', polarity: 'failure', example: 'saw', content: 'The saw broke.', ...insight },
      { similarity: 0.95, intent: 'Cut the wood' },
    );

  const habit = { appliesWhen: 'a tool is sent in a box' };
  expect(await told([aHit(), warning({}), warning({})])).toHaveLength(1);
  expect(await told([aHit(), warning(habit)])).toHaveLength(1);
  expect(await told([aHit(), warning(habit), warning(habit)])).toHaveLength(2);
});

it('tells what says only that it ended well where nobody knows more', async () => {
  const vague = aHit({ confidence: 0.25, content: 'It ended well.' });

  expect(await told([vague])).toHaveLength(1);
  expect(await told([vague, aHit()])).toHaveLength(1);
});

it('prefers what can be read to what is endless', async () => {
  const endless = aHit({ title: 'Endless', content: 'Pipe it on and on.', example: 'patch | '.repeat(60) });
  const short = aHit({ title: 'Short', content: 'One stroke of glue.', example: 'patch --glue' });

  expect((await told([endless, short])).map(({ title }) => title)).toEqual(['Short', 'Endless']);
});

it('shows, of examples of one lesson, the one that names what the task names', async () => {
  const same = { title: 'Use `echo`' };
  const question = 'Print the words red and blue with ";" between them';
  const of = (example: string) => aHit({ ...same, example }, { intent: question });
  const [lesson] = await told([of('echo red blue'), of('echo "red;blue"')], question);

  expect(lesson?.text).toContain('Example: echo "red;blue"');
});

it('shows ids of another run only where the task says enough to be the very same', async () => {
  const call = { example: 'end_rental({"rental_id":"PNQZ"})' };
  const [vague] = await told([aHit(call, { intent: 'End my rental' })], 'End my rental');
  const [plain] = await told([aHit(call)]);

  expect(vague?.text).toContain('end_rental({"rental_id":"…"})');
  expect(plain?.text).toContain('end_rental({"rental_id":"PNQZ"})');
});

describe('requests that ended in different ways', () => {
  const ended = (uses: string[]) => aHit({}, { run: { outcome: 'success', judged: false, uses } });
  const declined = () => ended(['get_rental', 'transfer_to_human']);
  const changed = () => ended(['get_rental', 'end_rental', 'refund_rental']);

  it('are told to be so, with how often each way was right', async () => {
    const [first, second] = await told([declined(), declined(), changed()]);

    expect(first?.text).toContain(
      'Of 3 runs at requests like this that succeeded 2 changed nothing, 1 called `end_rental` and `refund_rental`: let the records decide, not the request.',
    );
    expect(second?.text).not.toContain('requests like this');
  });

  it.each([
    ['there are only two runs', () => [declined(), changed()]],
    ['nearly all ended alike', () => [...Array.from({ length: 8 }, declined), changed()]],
    ['the runs had no tools', () => [ended(['find -type']), ended(['find -type']), ended(['ls -l'])]],
  ])('are not spoken of where %s', async (_, hits) => {
    const recommendations = await told(hits());

    expect(recommendations.map(({ text }) => text).join()).not.toContain('requests like this');
  });
});

it('shows an example whole to the very task, and in part to another', async () => {
  const example = Array.from({ length: 30 }, (_, at) => `loosen nut ${at} of the back wheel`).join('\n');
  const [own] = await told([aHit({ example })]);
  const [other] = await told([aHit({ example }, { similarity: 0.7, intent: 'Mend wheels' })]);

  expect(own?.text).toContain('nut 29');
  expect(other?.text).toContain('nut 5');
  expect(other?.text).not.toContain('nut 29');
});

it('tells an answer to the same question only', async () => {
  const far = { similarity: 0.7, intent: 'Count the wheels in the shed' };
  const right = { example: 'count_things(kind="wheel")\nfinish[42]' };
  const wrong: Partial<Insight> = { kind: 'pitfall', polarity: 'failure', example: 'finish[41]' };
  const same = await told([aHit(right), aHit(wrong)]);
  const other = await told([aHit(right, far), aHit(wrong, far)]);

  expect(same.map(({ text }) => text).join()).toMatch(/finish\[42\](?:.|\n)*finish\[41\]/);
  expect(other).toEqual([expect.objectContaining({ text: expect.stringContaining('count_things') as string })]);
  expect(other[0]?.text).not.toContain('finish');
});

it('leaves out what destroys without being asked where something else is known', async () => {
  const [first, ...more] = await told([
    aHit({ example: 'rm -rf tyres' }),
    aHit({ title: 'Patch', content: 'Put a patch on.', example: 'patch --all' }),
  ]);
  const [alone] = await told([aHit({ example: 'rm -rf tyres' })]);

  expect(first?.text).toContain('patch --all');
  expect(more).toEqual([]);
  expect(alone?.text).toContain('Careful:');
});

it('has the reader judge whether a far task is of the kind, and says little then', async () => {
  const far = { similarity: 0.66, intent: 'Grease the chain of a tricycle' };
  const ways = ['Oil', 'Wax', 'Brush', 'Rinse'].map((title) => aHit({ title, content: `${title} it well.` }, far));
  const answer = await told(ways);
  const [near] = await told([aHit({}, { similarity: 0.8, intent: 'Repair every bicycle with a flat saddle' })]);

  expect(answer).toHaveLength(3);
  expect(answer[0]?.text).toContain('; see whether this one is.');
  expect(near?.text).not.toContain('see whether');
});

it('leaves out what one run did otherwise where several agree', async () => {
  const agreed = Array.from({ length: 4 }, () => aHit({ title: 'Patch', content: 'Put a patch on the hole.' }));
  const alone = aHit({ title: 'Sell', content: 'Sell all bicycles to the neighbour.' });

  expect(await told([...agreed, alone])).toHaveLength(1);
  expect(await told([...agreed.slice(0, 2), alone])).toHaveLength(2);
});

it('does not warn beside advice of what failed at another task, unless any task can meet it', async () => {
  const far = { similarity: 0.75, intent: 'Oil the chain of a tricycle' };
  const failed: Partial<Insight> = { kind: 'pitfall', polarity: 'failure', content: 'The pump burst.' };
  const fenced: Partial<Insight> = { ...failed, title: 'Bare', appliesWhen: 'the pump takes words as they stand' };

  const advice = aHit({}, { similarity: 0.8, intent: 'Repair every bicycle with a flat saddle' });

  expect(await told([advice, aHit(failed, far), aHit(failed, far)])).toHaveLength(1);
  expect(await told([advice, aHit(fenced, far), aHit(fenced, far)])).toHaveLength(2);
});
