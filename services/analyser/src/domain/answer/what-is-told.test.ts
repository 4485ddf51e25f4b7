import type { Insight } from '@whetstone/contracts';

import { aHit, answerTo, type HitOptions, times } from './test-kit/hits.js';

const task = 'Count the lines of all *.php files under /srv/app';
const near = 'Count the words in the *.php files of the web shop';
const failed: HitOptions = {
  task,
  insight: { kind: 'pitfall', polarity: 'failure', content: 'The pattern was left to the shell.', rule: 'obstacle' },
  run: { outcome: 'failure' },
};

const examplesIn = (texts: readonly string[]) => texts.map((text) => /Example: (.*)/.exec(text)?.[1]);

describe('at the very task', () => {
  it('tells what worked, bare: the task, its example, and no sentence about it', async () => {
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

  it('tells two ways at most, what most runs agree on first, and the task once', async () => {
    const ways = ['ls a | wc -l', 'ls b | wc -l', 'ls c | wc -l', 'ls d | wc -l'];
    const hits = ways.flatMap((example, at) => times(at === 2 ? 2 : 1, () => aHit({ task, example })));

    const { texts } = await answerTo(task, hits);

    expect(texts).toHaveLength(2);
    expect(texts[0]).toBe(`[what worked · 2 runs] Task: ${task}\n   Example: ls c | wc -l`);
    expect(texts[1]).toMatch(/^\[what worked · 1 run\] Example: ls a \| wc -l$/);
  });

  it('says that there may be more runs where the search was full of the task', async () => {
    const first = async (count: number) =>
      (
        await answerTo(
          task,
          times(count, () => aHit({ task, example: 'ls a' })),
        )
      ).texts[0];

    expect(await first(39)).toContain('[what worked · 39 runs]');
    expect(await first(40)).toContain('[what worked · 40+ runs]');
  });

  it('leaves out what one run did otherwise where several agree', async () => {
    const agreed = (count: number) => times(count, () => aHit({ task, example: 'ls a' }));
    const alone = aHit({ task, example: 'ls b' });

    expect((await answerTo(task, [...agreed(4), alone])).texts).toHaveLength(1);
    expect((await answerTo(task, [...agreed(3), alone])).texts).toHaveLength(2);
  });

  it('tells one way alone of what destroys, and none of it beside what most runs did instead', async () => {
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

  it('does not tell as another way what does the same and something more', async () => {
    const ways = ['du -sh /opt', 'touch /tmp/seen && du -sh /opt', 'ls -l /opt'].map((example, at) =>
      times(at === 0 ? 3 : 1, () => aHit({ task, example })),
    );

    expect(examplesIn((await answerTo(task, ways.flat())).texts)).toEqual(['du -sh /opt', 'ls -l /opt']);
  });

  it('tells two answers in words, the first of them once', async () => {
    const rules = ['Refunds take a week.', 'Ask for the receipt first.'].map((content) =>
      aHit({ task, insight: { rule: 'rule', content, actions: [], effects: [], errorClass: content } }),
    );

    expect((await answerTo(task, rules)).texts.map((text) => text.replace(/^.*?\] /, '')).sort()).toEqual([
      'Ask for the receipt first.',
      'Refunds take a week.',
    ]);
  });

  it('does not bring in other tasks', async () => {
    const hits = [aHit({ task, example: 'ls a' }), aHit({ task: near, example: 'wc -w x', similarity: 0.95 })];

    expect(examplesIn((await answerTo(task, hits)).texts)).toEqual(['ls a']);
  });

  it('of ways that one run each took, tells first what has most in common with the others', async () => {
    const ways = ['ls -l a | grep x', 'wc -l a', 'wc -l -m a', 'wc -l -w a'];

    const { texts } = await answerTo(
      task,
      ways.map((example) => aHit({ task, example })),
    );

    expect(examplesIn(texts)[0]).toBe('wc -l a');
  });

  it('tells a way out of an error in one sentence with its example, where nothing else worked', async () => {
    const recovery = (example: string) =>
      aHit({ task, example, insight: { kind: 'recovery', scope: 'error', content: 'Quote the pattern' } });

    const { texts } = await answerTo(task, [recovery("ls '*.php'")]);
    const beside = await answerTo(task, [recovery("ls '*.php'"), aHit({ task, example: 'ls a' })]);

    expect(texts).toEqual(["[recovered · 1 run] Quote the pattern.\n   Example: ls '*.php'"]);
    expect(beside.texts).toEqual([expect.stringContaining('Example: ls a')]);
  });

  it('tells what says only that it ended well where nobody knows more', async () => {
    const vague = aHit({ task, insight: { confidence: 0.25, content: 'It ended well.' } });

    expect((await answerTo(task, [vague])).texts).toEqual(['[what worked · 1 run] It ended well.']);
    expect((await answerTo(task, [vague, aHit({ task, example: 'ls a' })])).texts).toHaveLength(1);
    expect((await answerTo(near, [{ ...vague, similarity: 0.9 }])).texts).toEqual([]);
  });

  it("says what a model's lesson says after its example, with its steps", async () => {
    const lesson = { rule: 'model', content: 'Quote the pattern.', steps: ['look', 'count'] };

    const { texts } = await answerTo(task, [aHit({ task, example: 'ls a', insight: lesson })]);

    expect(texts[0]).toMatch(/Example: ls a\n {3}Quote the pattern\.\n {3}Steps: look → count$/);
  });

  it('shows an example of several lines whole, each line as it was indented', async () => {
    const example = `for f in *.php; do\n  wc -l "$f"\ndone\n${times(20, (at) => `echo "${at}  x"`).join('\n')}`;

    const [text = ''] = (await answerTo(task, [aHit({ task, example })])).texts;

    expect(text).toContain('\n   Example:\n     for f in *.php; do\n       wc -l "$f"\n     done\n');
    expect(text).toMatch(/echo "19 {2}x"$/);
  });
});

describe('what failed', () => {
  const working = aHit({ task, example: 'ls a | wc -l' });

  it('never silences what works, however often', async () => {
    const failures = times(30, () => aHit({ ...failed, example: 'ls b | wc -l' }));

    const { texts, confidenceScore } = await answerTo(task, [...failures, working]);

    expect(examplesIn(texts)).toEqual(['ls a | wc -l']);
    expect(confidenceScore).toBe((await answerTo(task, [working])).confidenceScore);
  });

  it('is told once, last and in words where nothing is known to work, and never as something one could run', async () => {
    const failures = times(3, (at) => aHit({ ...failed, example: `ls b${at} | wc -l` }));

    const { texts, added } = await answerTo(task, failures);

    expect(texts).toEqual(['[avoid · 1 run] The pattern was left to the shell.']);
    expect(added).not.toContain('ls b');
  });

  it('is nothing to tell of a task that is only alike or has other values', async () => {
    const failure = aHit({ ...failed, similarity: 0.95 });

    expect((await answerTo(near, [failure])).texts).toEqual([]);
    expect((await answerTo(task.replace('php', 'css'), [failure])).texts).toEqual([]);
  });

  it('does not count as a run that worked, though it did the same', async () => {
    const insight: Partial<Insight> = { kind: 'recovery', polarity: 'failure' };
    const tried = times(3, () => aHit({ task, example: 'ls a | wc -l', insight, run: { outcome: 'failure' } }));

    expect((await answerTo(task, [working, ...tried])).texts[0]).toMatch(/^\[what worked · 1 run\]/);
  });
});

describe('lessons that do the same', () => {
  it('are one, however they are spelt, and show what most runs wrote', async () => {
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
  ])('are not those that differ in one argument: %s', async (one, other) => {
    const hits = [one, one, other].map((example) => aHit({ task, example, insight: { effects: [] } }));

    const { recommendations } = await answerTo(task, hits);

    expect(recommendations.map(({ support }) => support)).toEqual([2, 1]);
  });

  it('are calls that read the same once the values of their cases are hidden, and no others', async () => {
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

    expect(recommendations.map(({ support }) => support)).toEqual([2, 1]);
    expect(recommendations[0]?.sourceJobIds).toHaveLength(2);
    expect(recommendations[0]?.text).toContain('"dim"');
    expect(recommendations[1]?.text).toContain('"bright"');
  });

  it('count a run once, whatever it was uploaded and whatever it taught', async () => {
    const origin = { bodyDigest: 'twice' };
    const hits = times(3, () => aHit({ task, example: 'ls a', origin }));

    const { recommendations } = await answerTo(task, [...hits, aHit({ task, example: 'ls a' })]);

    expect(recommendations[0]?.support).toBe(2);
    expect(recommendations[0]?.sourceJobIds).toHaveLength(4);
  });

  it('are told apart by outcomes: what helped is told first', async () => {
    const voted = (example: string, helped: number, harmed: number) =>
      aHit({ task, example, votes: { helped, harmed } });

    const { texts } = await answerTo(task, [voted('ls a', 2, 4), voted('ls b', 5, 1)]);

    expect(examplesIn(texts)).toEqual(['ls b', 'ls a']);
    expect((await answerTo(task, [voted('ls a', 0, 6)])).texts).toEqual([]);
  });
});

describe('a variant of a past task', () => {
  it('gets the example with its own values', async () => {
    const past = aHit({ task, example: "find /srv/app -name '*.php' | xargs cat | wc -l" });
    const asked = 'Count the lines of all *.css files under /srv/shop';

    expect((await answerTo(asked, [past])).texts).toEqual([
      `[what worked · 1 run] Task: ${asked}\n   Example: find /srv/shop -name '*.css' | xargs cat | wc -l`,
    ]);
  });

  it('gets no example whose values have no clear place', async () => {
    const past = aHit({ task: 'Print line 1 of /srv/a.txt', example: 'head -1 /srv/a.txt | cut -f 1' });

    expect((await answerTo('Print line 4 of /srv/a.txt', [past])).added).not.toContain('Example');
  });

  it('is not told where something was done at the very task', async () => {
    const hits = [aHit({ task: task.replace('php', 'css'), example: "ls '*.css'" }), aHit({ task, example: 'ls a' })];

    expect(examplesIn((await answerTo(task, hits)).texts)).toEqual(['ls a']);
  });
});

describe('at a task that differs in one word', () => {
  const hierarchy = 'Count the symbolic links in the directory hierarchy of the old web shop';
  const tree = 'Count the symbolic links in the directory tree of the old web shop';
  const example = 'find . -type l | wc -l';

  it('shows what worked with the difference, and nothing else', async () => {
    const other = 'Count the hidden files of the shop';
    const hits = [aHit({ task: tree, example, similarity: 0.95 }), aHit({ task: other, example, similarity: 0.75 })];

    expect((await answerTo(hierarchy, hits)).texts).toEqual([
      [
        `[what worked · 1 run] Task: ${tree}`,
        '   Difference: that task says “tree”, this one “hierarchy”.',
        `   Example: ${example}`,
      ].join('\n'),
    ]);
  });

  it('tells nothing of what changes something: the word may be all the difference', async () => {
    const [older, younger] = ['older', 'younger'].map((word) => `Delete the sessions that are ${word} than a week`);
    const hit = aHit({
      task: older as string,
      example: "DELETE FROM sessions WHERE created_at < now() - interval '7 days'",
      similarity: 0.95,
      insight: { effects: ['destroys'] },
    });

    expect((await answerTo(younger as string, [hit])).texts).toEqual([]);
  });

  it('shows the shape of a call, which has no place for the difference', async () => {
    const [mail, phone] = ['mail', 'phone'].map((word) => `Refund the last order of a customer who writes by ${word}`);
    const insight = { effects: ['changes' as const], rule: 'calls' };
    const hit = aHit({ task: mail as string, example: 'refund(order="O-77812")', similarity: 0.95, insight });

    expect(examplesIn((await answerTo(phone as string, [hit])).texts)).toEqual(['refund(order="…")']);
  });

  it('tells nothing of what changes something under another verb', async () => {
    const insight = { effects: ['changes' as const], rule: 'calls' };
    const hit = aHit({
      task: 'Archive the mail of Monday',
      example: 'archive(day="Monday")',
      similarity: 0.9,
      insight,
    });

    expect((await answerTo('Forward the mail of Monday', [hit])).texts).toEqual([]);
  });

  it('shows what worked at the very task instead', async () => {
    const hits = [aHit({ task: tree, example, similarity: 0.95 }), aHit({ task: hierarchy, example: 'ls -lR' })];

    expect(examplesIn((await answerTo(hierarchy, hits)).texts)).toEqual(['ls -lR']);
  });
});

describe('at a task that is only alike', () => {
  it('tells of a command its programs and options, in words, once', async () => {
    const past = 'Count the words in the pages of the shop';
    const examples = ['find . -type f -name x | xargs wc -w', "find . -name '*.html' | xargs wc -w | find y"];
    const hits = examples.map((example) => aHit({ task: past, example, similarity: 0.8 }));

    expect((await answerTo(task, hits)).texts).toEqual([
      `[what worked · 1 run] A similar task, “${past}”, took find with -type and -name and wc with -w.`,
    ]);
  });

  it('tells what was answered in a conversation as what it is, and nothing of an answer to another question', async () => {
    const said = { rule: 'talk', content: 'The card is blocked from now on.' };
    const talk = aHit({ task: 'My purse with the card was stolen', similarity: 0.8, insight: said });
    const answer = aHit({ task: 'What is the capital of Peru?', similarity: 0.8, insight: { ...said, rule: 'reply' } });

    expect((await answerTo('I lost my card', [talk])).texts).toEqual([
      '[what worked · 1 run] A similar task, “My purse with the card was stolen”, was answered: “The card is blocked from now on.”',
    ]);
    expect((await answerTo('What is the capital of Chile?', [answer])).texts).toEqual([]);
  });

  it('of commands at tasks that are hardly alike, tells the programs that most used, and nothing of one alone', async () => {
    const examples = ['wc -w book | sort', 'cat pages | wc -w', 'wc -c letter', 'ls letters'];
    const hits = examples.map((example, at) =>
      aHit({ task: `Count the words of book ${at}`, example, similarity: 0.6, origin: { agentType: 'shell' } }),
    );
    const told = async (some: typeof hits) => (await answerTo(task, some, { agentType: 'shell' })).texts;

    expect(await told(hits)).toEqual(['[what worked · 3 runs] Similar tasks used wc.']);
    expect(await told(hits.slice(0, 1))).toEqual([]);
  });

  it('tells three that differ in what they are about, with their tasks', async () => {
    const queries = [
      'SELECT name FROM singer',
      'SELECT age FROM singer',
      'SELECT title FROM song',
      'SELECT year FROM concert',
      'SELECT city FROM stadium',
    ];
    const hits = queries.map((example, at) =>
      aHit({ task: `Say something about topic ${at}`, example, similarity: 0.8 - 0.001 * at }),
    );

    const { texts } = await answerTo('List whatever the database knows of music', hits);

    expect(examplesIn(texts)).toEqual([queries[0], queries[2], queries[3]]);
    expect(texts[0]).toMatch(/^\[what worked · 1 run\] Task: Say something about topic/);
  });

  it('tells what runs did that ended as most neighbours did', async () => {
    const call = (at: number, changes: string[]) =>
      aHit({
        task: `Request number ${at} about a rental`,
        example: `${changes[0] ?? 'get_rental'}(rental_id="R${at}")`,
        similarity: at === 0 ? 0.8 : 0.75,
        run: { changes },
      });
    const hits = [call(0, []), call(1, ['end_rental']), call(2, ['end_rental']), call(3, ['end_rental'])];

    const { added } = await answerTo('My bike is broken and I am far away from home', hits);

    expect(added).toContain('end_rental');
    expect(added).not.toContain('get_rental');
  });

  it('tells that nothing was changed once, and a rule instead of a third example', async () => {
    const looked = (name: string) => ({
      task: `My ${name} is late`,
      example: `get_${name}({"number": "A-1"})`,
      similarity: 0.8,
      insight: { rule: 'looked', content: 'Nothing was changed.' },
    });
    const rules = ['A parcel cannot be sent back while it is on its way.', 'A parcel cannot be sent back on its way.'];
    const ruled = rules.map((content) => ({
      task: 'My post is late',
      similarity: 0.8,
      insight: { rule: 'rule', content },
    }));

    const { texts } = await answerTo('Where is my post?', [looked('parcel'), looked('letter'), ...ruled].map(aHit));

    expect(texts).toEqual([
      expect.stringMatching(
        /^\[what worked · 1 run\] Task: My \w+ is late\n {3}Example: get_\w+\(.*\)\n {3}Nothing was changed\.$/,
      ),
      expect.stringContaining('A parcel cannot be sent back'),
    ]);
  });

  it('says in words what a rule or a model says without an example', async () => {
    const hit = aHit({ task: near, similarity: 0.8, insight: { content: 'Ask for the order first.' } });

    expect((await answerTo(task, [hit])).texts).toEqual(['[what worked · 1 run] Ask for the order first.']);
  });

  it('tells a way out of an error only beside what could run into it', async () => {
    const recovery = (example: string) =>
      aHit({
        task: near,
        example,
        similarity: 0.8,
        insight: { kind: 'recovery', scope: 'error', errorClass: 'missing', content: 'Give the unit.' },
      });
    const idea = aHit({ task: near, example: 'convert(amount="…", unit="kg")', similarity: 0.8 });

    const beside = await answerTo(task, [idea, recovery('convert(amount="…", unit="kg", precise=true)')]);
    expect(beside.texts).toHaveLength(2);
    expect(beside.texts[1]).toMatch(/^\[recovered · 1 run\] Give the unit\./);
    expect((await answerTo(task, [idea, recovery('send(mail="…")')])).texts).toHaveLength(1);
    expect((await answerTo(task, [recovery('convert(unit="kg")')])).texts).toEqual([]);
  });

  it('tells of what changes something only where it can be told that both want the same', async () => {
    const moved = (example: string) =>
      aHit({ task: 'Move the photos from disk_b to disk_c', example, similarity: 0.8 });
    const asked = 'Move the photos from disk_a to disk_b, please';

    expect((await answerTo(asked, [moved("UPDATE photo SET disk = 'c' WHERE disk = 'b'")])).texts).toEqual([]);
    expect((await answerTo(asked, [moved("SELECT disk FROM photo WHERE disk = 'b'")])).texts).toHaveLength(1);
  });
});
