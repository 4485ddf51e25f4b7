import type { Insight, Votes } from '@whetstone/contracts';

import { aHit, answerTo, type HitOptions, times } from './test-kit/hits.js';

const task = 'Count the lines of all *.php files under /srv/app';
const near = 'Count the words in the *.php files of the web shop';
const failed: HitOptions = {
  task,
  insight: { kind: 'pitfall', polarity: 'failure', content: 'The pattern was left to the shell.', rule: 'obstacle' },
  run: { outcome: 'failure' },
};

const examplesIn = (texts: readonly string[]) => texts.map((text) => /Example: (.*)/.exec(text)?.[1]);

describe('for the same task', () => {
  it('shows what worked: the task and its bare example, without a sentence around it', async () => {
    const { added } = await answerTo(task, [
      aHit({ task, example: "find /srv/app -name '*.php' | xargs cat | wc -l" }),
    ]);

    expect(added).toBe(
      [
        '',
        '',
        '--- Recommendations from past runs ---',
        `1. [what worked · 1 run] Task: ${task}`,
        "   Example: find /srv/app -name '*.php' | xargs cat | wc -l",
        '--- End of recommendations ---',
      ].join('\n'),
    );
  });

  it('knows it with the greeting that an upload loses', async () => {
    const example = 'sed -i s/old/new/ /srv/app/a.php';
    const hits = [aHit({ task: 'Replace old by new in a.php', example })];

    expect((await answerTo('Hi team,\nreplace old by new in a.php', hits)).added).toContain(example);
  });

  it('shows one way, the most supported', async () => {
    const ways = ['ls a | wc -l', 'ls b | wc -l', 'ls c | wc -l', 'ls d | wc -l'];
    const hits = ways.flatMap((example, at) => times(at === 2 ? 2 : 1, () => aHit({ task, example })));

    expect((await answerTo(task, hits)).texts).toEqual([
      `[what worked · 2 runs] Task: ${task}\n   Example: ls c | wc -l`,
    ]);
  });

  it('of equally supported ways shows the one that does least beyond the task', async () => {
    const ways = [
      "find /srv/app -name '*.php' | xargs wc -l | head -n 10",
      "find /srv/app -name '*.php' | xargs wc -l",
    ];
    const shown = async (...examples: string[]) =>
      (
        await answerTo(
          task,
          examples.map((example) => aHit({ task, example })),
        )
      ).texts[0];

    expect(await shown(...ways)).toContain(`Example: ${ways[1]}`);
    expect(await shown(...ways.reverse())).toContain(`Example: ${ways[0]}`);
  });

  it('shows no label that the new question does not offer', async () => {
    const past = 'Is this review positive or negative? "Loved every bite, will come back!"';
    const labelled = aHit({
      task: past,
      example: 'positive',
      similarity: 0.9,
      insight: { rule: 'reply', effects: [], actions: [] },
    });
    const told = async (question: string) =>
      (await answerTo(past.replace('positive or negative', question), [labelled])).texts;

    expect((await told('positive, or negative')).join()).toContain('Example: positive');
    expect(await told('sarcastic or sincere')).toEqual([]);
    expect(await told('about food or service')).toEqual([]);
  });

  it('shows another way beside one that outcomes speak against, and the task once', async () => {
    const others = ['tree b', 'stat c'].map((example) => aHit({ task, example }));
    const first = times(2, () => aHit({ task, example: 'ls a | wc -l' }));
    const told = async (votes: Votes) =>
      (await answerTo(task, [...first, aHit({ task, example: 'ls a | wc -l', votes }), ...others])).texts;

    expect(await told({ helped: 1, harmed: 0 })).toHaveLength(1);
    expect(await told({ helped: 0, harmed: 1 })).toEqual([
      `[what worked · 3 runs] Task: ${task}\n   Example: ls a | wc -l`,
      '[what worked · 1 run] Example: tree b',
    ]);
  });

  it('says that there may be more runs if the search returned only this task', async () => {
    const first = async (count: number) =>
      (
        await answerTo(
          task,
          times(count, () => aHit({ task, example: 'ls a' })),
        )
      ).texts[0];

    expect(await first(99)).toContain('[what worked · 99 runs]');
    expect(await first(100)).toContain('[what worked · 100+ runs]');
  });

  it('shows a destructive way only if it is the best, and then alone', async () => {
    const deleting = 'Delete the *.tmp files in /srv/in';
    const ways = ["find /srv/in -name '*.tmp' -delete", 'rm /srv/in/*.tmp'].map((example) =>
      aHit({ task: deleting, example }),
    );
    const harmless = aHit({ task: deleting, example: 'clean-tmp /srv/in', insight: { effects: ['changes'] } });

    expect((await answerTo(deleting, ways)).texts).toHaveLength(1);
    expect((await answerTo(deleting, [...ways, harmless])).texts).toHaveLength(1);
    const agreed = times(3, () => harmless).map((hit, at) => ({
      ...hit,
      origin: { ...hit.origin, bodyDigest: `${at}` },
    }));
    expect(examplesIn((await answerTo(deleting, [...ways, ...agreed])).texts)).toEqual(['clean-tmp /srv/in']);
  });

  it('does not show the same way with extra steps as another way', async () => {
    const ways = ['du -sh /opt', 'touch /tmp/seen && du -sh /opt', 'ls -l /opt'].map((example, at) =>
      times(at === 0 ? 3 : 1, () => aHit({ task, example })),
    );
    const doubtful = aHit({ task, example: 'du -sh /opt', votes: { helped: 0, harmed: 1 } });

    expect(examplesIn((await answerTo(task, [doubtful, ...ways.flat()])).texts)).toEqual(['du -sh /opt', 'ls -l /opt']);
  });

  it('shows two answers in words, without repeating the first', async () => {
    const rules = ['Refunds take a week.', 'Ask for the receipt first.'].map((content) =>
      aHit({ task, insight: { rule: 'rule', content, actions: [], effects: [], errorClass: content } }),
    );

    expect((await answerTo(task, rules)).texts.map((text) => text.replace(/^.*?\] /, '')).sort()).toEqual([
      'Ask for the receipt first.',
      'Refunds take a week.',
    ]);
  });

  it.each([
    ['Is flight LH202 on time?', 'It is 40 minutes late.', 'Is flight LH303 on time?'],
    ['How many people does Lumen employ?', 'Lumen employs 400 people.', 'How many people does Arcas employ?'],
    ['Do you ship to Norway?', 'Yes, within 5 days.', 'Do you ship from Norway?'],
  ])('shows an answer for its own question only: %s', async (question, example, other) => {
    const hit = (similarity: number) => aHit({ task: question, example, similarity, insight: { rule: 'reply' } });

    expect((await answerTo(question, [hit(1)])).added).toContain(example);
    expect((await answerTo(other, [hit(0.95)])).texts).toEqual([]);
  });

  it.each([
    'Please rotate the logs of web-7',
    'Hi, could you please rotate the logs of web-7?',
    'Bitte, rotate the logs of web-7',
  ])('sees it behind a courtesy: %s', async (asked) => {
    const hit = aHit({ task: 'Rotate the logs of web-4', example: 'rotatectl run web-4', similarity: 0.9 });

    expect((await answerTo(asked, [hit])).added).toContain('Example: rotatectl run web-7');
  });

  it('shows nothing of other tasks', async () => {
    const hits = [aHit({ task, example: 'ls a' }), aHit({ task: near, example: 'wc -w x', similarity: 0.95 })];

    expect(examplesIn((await answerTo(task, hits)).texts)).toEqual(['ls a']);
  });

  it('ranks the way closest to the others first if each has one run', async () => {
    const ways = ['ls -l a | grep x', 'wc -l a', 'wc -l -m a', 'wc -l -w a'];

    const { texts } = await answerTo(
      task,
      ways.map((example) => aHit({ task, example })),
    );

    expect(examplesIn(texts)[0]).toBe('wc -l a');
  });

  it('shows a recovery in one sentence with its example if nothing else worked', async () => {
    const recovery = (example: string) =>
      aHit({ task, example, insight: { kind: 'recovery', scope: 'error', content: 'Quote the pattern' } });

    const { texts } = await answerTo(task, [recovery("ls '*.php'")]);
    const beside = await answerTo(task, [recovery("ls '*.php'"), aHit({ task, example: 'ls a' })]);

    expect(texts).toEqual(["[recovered · 1 run] Quote the pattern.\n   Example: ls '*.php'"]);
    expect(beside.texts).toEqual([expect.stringContaining('Example: ls a')]);
  });

  it('shows a low-confidence lesson only if there is nothing better', async () => {
    const vague = aHit({ task, insight: { confidence: 0.25, content: 'It ended well.' } });

    expect((await answerTo(task, [vague])).texts).toEqual(['[what worked · 1 run] It ended well.']);
    expect((await answerTo(task, [vague, aHit({ task, example: 'ls a' })])).texts).toHaveLength(1);
    expect((await answerTo(near, [{ ...vague, similarity: 0.9 }])).texts).toEqual([]);
  });

  it("adds the text and the steps of a model's lesson below its example", async () => {
    const lesson = { rule: 'model', content: 'Quote the pattern.', steps: ['look', 'count'] };

    const { texts } = await answerTo(task, [aHit({ task, example: 'ls a', insight: lesson })]);

    expect(texts[0]).toMatch(/Example: ls a\n {3}Quote the pattern\.\n {3}Steps: look → count$/);
  });

  it('shows a multi-line example completely, with its indentation', async () => {
    const example = `for f in *.php; do\n  wc -l "$f"\ndone\n${times(20, (at) => `echo "${at}  x"`).join('\n')}`;

    const [text = ''] = (await answerTo(task, [aHit({ task, example })])).texts;

    expect(text).toContain('\n   Example:\n     for f in *.php; do\n       wc -l "$f"\n     done\n');
    expect(text).toMatch(/echo "19 {2}x"$/);
  });
});

describe('a failure', () => {
  const working = aHit({ task, example: 'ls a | wc -l' });

  it('never suppresses what works, however often it happened', async () => {
    const failures = times(30, () => aHit({ ...failed, example: 'ls b | wc -l' }));

    const { texts, confidenceScore } = await answerTo(task, [...failures, working]);

    expect(examplesIn(texts)).toEqual(['ls a | wc -l']);
    expect(confidenceScore).toBe((await answerTo(task, [working])).confidenceScore);
  });

  it('is shown once, last and in words if nothing is known to work, and never as a runnable example', async () => {
    const failures = times(3, (at) => aHit({ ...failed, example: `ls b${at} | wc -l` }));

    const { texts, added } = await answerTo(task, failures);

    expect(texts).toEqual(['[avoid · 1 run] The pattern was left to the shell.']);
    expect(added).not.toContain('ls b');
  });

  it('is not shown for a similar task or a variant', async () => {
    const failure = aHit({ ...failed, similarity: 0.95 });

    expect((await answerTo(near, [failure])).texts).toEqual([]);
    expect((await answerTo(task.replace('php', 'css'), [failure])).texts).toEqual([]);
  });

  it('does not count as a run that worked, even with the same actions', async () => {
    const insight: Partial<Insight> = { kind: 'recovery', polarity: 'failure' };
    const tried = times(3, () => aHit({ task, example: 'ls a | wc -l', insight, run: { outcome: 'failure' } }));

    expect((await answerTo(task, [working, ...tried])).texts[0]).toMatch(/^\[what worked · 1 run\]/);
  });
});

describe('lessons with the same actions', () => {
  it('are one lesson in any spelling, shown in the most common one', async () => {
    const question = 'List the names of all singers with SQL';
    const spelt = [
      'SELECT name FROM singer',
      'select name from singer;',
      'select name from singer;',
      'SELECT  name\nFROM singer',
    ];
    const lucky = aHit({ task: question, example: 'SELECT * FROM concert' });

    const { texts } = await answerTo(question, [lucky, ...spelt.map((example) => aHit({ task: question, example }))]);

    expect(texts[0]).toContain('[what worked · 4 runs]');
    expect(texts[0]).toContain('Example: select name from singer;');
    expect(texts).toHaveLength(1);
  });

  it.each([
    ['git reset --hard HEAD~1', 'git reset --soft HEAD~1'],
    ['deploy --env staging', 'deploy --env production'],
  ])('stay apart if one argument differs: %s', async (one, other) => {
    const hits = [one, one, other].map((example) => aHit({ task, example, insight: { effects: [] } }));

    const { recommendations, candidates } = await answerTo(task, hits);

    expect(recommendations.map(({ support }) => support)).toEqual([2]);
    expect(candidates.map(({ reason }) => reason).sort()).toEqual(['another_way', 'folded_into_another', 'told']);
  });

  it('include calls that are equal once values are masked, and no others', async () => {
    const question = 'Set the mode of my lamp to dim or to bright';
    const calls = [
      'set_mode(id="K41X", mode="dim")',
      'set_mode(id="Q88Z", mode="dim")',
      'set_mode(id="K41X", mode="bright")',
    ];

    const { recommendations } = await answerTo(
      question,
      calls.map((example) => aHit({ task: question, example })),
    );

    expect(recommendations.map(({ support }) => support)).toEqual([2]);
    expect(recommendations[0]?.sourceJobIds).toHaveLength(2);
    expect(recommendations[0]?.text).toContain('"dim"');
  });

  it('count a run once, however often it was uploaded', async () => {
    const origin = { bodyDigest: 'twice' };
    const hits = times(3, () => aHit({ task, example: 'ls a', origin }));

    const { recommendations } = await answerTo(task, [...hits, aHit({ task, example: 'ls a' })]);

    expect(recommendations[0]?.support).toBe(2);
    expect(recommendations[0]?.sourceJobIds).toHaveLength(4);
  });

  it('are ordered by votes: the more helpful one comes first', async () => {
    const voted = (example: string, helped: number, harmed: number) =>
      aHit({ task, example, votes: { helped, harmed } });

    const { texts } = await answerTo(task, [voted('ls a', 2, 4), voted('ls b', 5, 1)]);

    expect(examplesIn(texts)).toEqual(['ls b']);
    expect((await answerTo(task, [voted('ls a', 0, 6)])).texts).toEqual([]);
  });
});

describe('a plain word that past tasks of the same wording have other words for', () => {
  const removal = (name: string, days: number, example: string) =>
    aHit({ task: `Remove the stale builds of pipeline ${name} older than ${days} days`, example, similarity: 0.9 });
  const request = (name: string, days: number) => `DELETE /pipelines/${name}/builds?older_than=${days}d`;
  const asked = 'Remove the stale builds of pipeline levante older than 21 days';

  it('is a value, which is filled in', async () => {
    const hits = [removal('mistral', 14, request('mistral', 14)), removal('bora', 30, request('bora', 30))];

    expect((await answerTo(asked, hits)).added).toContain('DELETE /pipelines/levante/builds');
    expect((await answerTo(asked, hits.slice(0, 1))).added).not.toContain('levante/');
  });

  it('is none where it says what is to be done', async () => {
    const hits = ['Enable', 'Disable'].map((verb) =>
      aHit({ task: `${verb} the alarm of gate 4`, example: `alarmx ${verb.toLowerCase()} gate-4`, similarity: 0.9 }),
    );

    expect((await answerTo('Reset the alarm of gate 4', hits)).added).not.toContain('alarmx');
  });

  it('is none where it stands in the example as a part of something else, too', async () => {
    const hits = ['mistral', 'bora'].map((name) => removal(name, 14, `buildx drop ${name} --log ${name}_old`));

    expect((await answerTo(asked.replace('21', '14'), hits)).added).not.toContain('levante');
  });
});
