import { aHit, answerTo } from './test-kit/hits.js';

const task = 'Count the lines of all *.php files under /srv/app';
const near = 'Count the words in the *.php files of the web shop';
const examplesIn = (texts: readonly string[]) => texts.map((text) => /Example: (.*)/.exec(text)?.[1]);

describe('a variant of a past task', () => {
  it('gets the example with its own values filled in', async () => {
    const past = aHit({ task, example: "find /srv/app -name '*.php' | xargs cat | wc -l" });
    const asked = 'Count the lines of all *.css files under /srv/shop';

    expect((await answerTo(asked, [past])).texts).toEqual([
      `[what worked · 1 run] Task: ${asked}\n   Example: find /srv/shop -name '*.css' | xargs cat | wc -l`,
    ]);
  });

  it('gets its own values where they are hyphenated words of the example, but not for an option', async () => {
    const [one, other] = ['acme-logs', 'beta-logs'].map((name) => `Import the bucket ${name} into the state`);
    const past = aHit({ task: one as string, example: 'tf import bucket.logs acme-logs' });
    const dry = aHit({ task: 'Sync the photos in a dry-run', example: 'sync --dry-run photos', similarity: 0.8 });

    expect((await answerTo(other as string, [past])).added).toContain('Example: tf import bucket.logs beta-logs');
    expect((await answerTo('Sync the photos in a hurry-up', [dry])).added).not.toContain('--hurry-up');
  });

  it('gets no example if the place of a value is ambiguous', async () => {
    const past = aHit({ task: 'Print line 1 of /srv/a.txt', example: 'head -1 /srv/a.txt | cut -f 1' });

    expect((await answerTo('Print line 4 of /srv/a.txt', [past])).added).not.toContain('Example');
  });

  it('is not shown if the same task has a lesson', async () => {
    const hits = [aHit({ task: task.replace('php', 'css'), example: "ls '*.css'" }), aHit({ task, example: 'ls a' })];

    expect(examplesIn((await answerTo(task, hits)).texts)).toEqual(['ls a']);
  });
});

describe('a call of a task that is not near', () => {
  it.each([
    ['refund_order(id="R-1")', 0.6, 0],
    ['refund_order(id="R-1")', 0.75, 1],
    ['get_order(id="R-1")', 0.6, 1],
  ])('%s at a similarity of %d is shown to %d', async (example, similarity, count) => {
    const past = aHit({ task: 'My order R-1 came late, I want my money back', example, similarity });

    const question = 'The mug of my order R-2 is broken, I want my money back';
    expect((await answerTo(question, [past], { agentType: 'desk' })).texts).toHaveLength(count);
  });
});

it('is near one of the same wording, whatever its names and dates do to the embedding', async () => {
  const past = aHit({
    task: 'Book a table for Lena Hart on 4 May at noon',
    example: 'book_table({"guest": "hart", "day": "2031-05-04"})',
    similarity: 0.45,
    origin: { agentType: 'desk' },
    insight: { effects: ['changes'] },
  });
  const asked = { agentType: 'desk' };

  expect((await answerTo('Book a table for Tom Reed on 9 June at noon', [past], asked)).added).toContain('book_table');
  expect((await answerTo('Book a table for two somewhere quiet', [past], asked)).added).not.toContain('book_table');
});

it('has nothing to learn from one in which two things changed places, even if it only reads', async () => {
  const past = aHit({ task: 'Divide costs by heads', example: '=C2/H2', similarity: 0.97 });

  expect((await answerTo('Divide heads by costs', [past])).texts).toEqual([]);
  expect((await answerTo('Divide the costs by the heads', [past])).texts).toHaveLength(1);
});

describe('a task in another language', () => {
  const past = aHit({ task: 'Muestra los pedidos', example: 'SELECT id FROM pedidos', similarity: 0.8 });

  it('is answered with a task that it shares a word with', async () => {
    expect((await answerTo('Muéstrame los pedidos', [past])).texts).toHaveLength(1);
    expect((await answerTo('¿Qué hora es?', [past])).texts).toEqual([]);
  });

  it.each([
    ['Сколько заказов оплачено в мае?', 'Сколько заказов не оплачено в мае?'],
    ['Покажи оплаченные счета', 'Покажи неоплаченные счета'],
    ['统计三月份付款的订单数量', '统计三月份未付款的订单数量'],
    ['Quais clientes pagaram?', 'Quais clientes não pagaram?'],
    ['Welke klanten hebben betaald?', 'Welke klanten hebben niet betaald?'],
    ['كم عدد الطلبات المدفوعة', 'كم عدد الطلبات غير المدفوعة'],
  ])('is not answered with its opposite: %s, %s', async (one, other) => {
    const hit = (task: string) => aHit({ task, example: 'SELECT id FROM t WHERE paid = 1', similarity: 0.97 });

    expect((await answerTo(other, [hit(one)])).texts).toEqual([]);
    expect((await answerTo(one, [hit(other)])).texts).toEqual([]);
    expect((await answerTo(one, [hit(one)])).texts).toHaveLength(1);
  });
});

describe('a label', () => {
  it('is no command for a similar task, though it reads like one', async () => {
    const task = (text: string) => `Is this ticket about billing, shipping or a bug: ${text}`;
    const label = (text: string) =>
      aHit({
        task: task(text),
        example: 'bug',
        similarity: 0.8,
        insight: { rule: 'reply', actions: ['bug'], effects: [] },
      });
    const hits = [label('it crashes'), label('it hangs')];

    expect((await answerTo(task('it is too slow'), hits)).texts).toEqual([]);
    expect((await answerTo(task('it hangs'), hits)).added).toContain('Example: bug');
  });
});

describe('for a task that names the same things in other words', () => {
  const past = 'Tell me which of the *.cfg files in /srv/conf mention "retries"';
  const asked = 'Search /srv/conf for "retries" in all *.cfg files and print their names';
  const example = 'grep -l retries /srv/conf/*.cfg | sort';
  const shown = async (question: string, ...hit: Parameters<typeof aHit>) =>
    (await answerTo(question, [aHit(...hit)])).texts;

  it('shows a command that only reads, under its own task', async () => {
    const [elsewhere, similarity] = ['Print the *.cfg files in /srv/conf', 0.75];

    expect(await shown(asked, { task: past, example, similarity })).toEqual([
      `[what worked · 1 run] Task: ${past}\n   Example: ${example}`,
    ]);
    expect(await shown(elsewhere, { task: past, example, similarity })).toEqual([
      expect.not.stringContaining('Example'),
    ]);
  });

  it('names the difference if one word is another', async () => {
    const [largest, newest] = ['largest', 'newest'].map((which) => `Find the 10 ${which} files under /srv/app`);
    const hit = { task: largest as string, example: 'find /srv/app -printf "%s %p" | sort -n', similarity: 0.8 };

    expect((await shown(newest as string, hit)).join()).toContain('that task says “largest”, this one says “newest”.');
  });

  it('shows only the program where the tasks are not near, or have a short number in common', async () => {
    const [old, recent] = ['Which logs have 30 lines', 'Lines of the logs written in 30 minutes, please'];

    expect((await shown(asked, { task: past, example, similarity: 0.65 })).join()).not.toContain('Example');
    expect((await shown(recent, { task: old, example, similarity: 0.75 })).join()).not.toContain('Example');
  });

  it('shows it to a nearer task that names more or fewer of them', async () => {
    const fewer = 'Print all *.cfg files in /srv/conf, sorted by their names please';
    const hit = (similarity: number) => ({ task: past, example, similarity });

    expect((await shown(fewer, hit(0.87))).join()).toContain(`Example: ${example}`);
    expect((await shown(fewer, hit(0.83))).join()).not.toContain('Example');
    expect((await shown(fewer.replace('/srv', '/opt'), hit(0.87))).join()).not.toContain('Example');
  });

  it('shows nothing that changes something', async () => {
    const changing = { task: past, example: 'sed -i s/retries/tries/ /srv/conf/a.cfg', similarity: 0.75 };

    expect((await shown(asked, { ...changing, insight: { effects: ['changes'] } })).join()).not.toContain('sed -i');
  });

  it('still shows a call without the values of its case', async () => {
    const [task, question] = ['Is the room "Alpine 7" free', 'When can I have "Alpine 7"?'];
    const texts = await shown(question, { task, example: 'check(room="Alpine 7", guest="G-4711")', similarity: 0.75 });

    expect(texts.join()).toContain('check(room="Alpine 7", guest="…")');
  });
});

describe('the difference between the tasks', () => {
  const told = async (past: string, asked: string, example: string, similarity = 0.8) =>
    (await answerTo(asked, [aHit({ task: past, example, similarity })])).added;
  const sum = "df.groupby('region')['sales'].sum()";

  it.each([
    [
      'Group by region and sum the sales',
      'Group by store and sum the sales',
      'that task says “region”, this one says “store”',
    ],
    ['Group by region and sum the sales', 'Group by region and year and sum the sales', 'only this task says “year”'],
    ['Group by region and year and sum the sales', 'Group by region and sum the sales', 'only that task says “year”'],
    ['Rows with status 7 or region 8', 'Rows with status 7 and region 8', 'only that task says “or”'],
    ['Which products are in stock?', 'Which products are out of stock?', 'only this task says “out”'],
    ['Drop the columns b and c', 'Drop the columns d and e', 'that task says “b” and “c”, this one says “d” and “e”'],
    [
      'Sort by revenue and take the top 10',
      'Sort by margin and take the top 5',
      'that task says “revenue” and “10”, this one says “margin” and “5”',
    ],
  ])('is named beside an example that only reads: “%s”, “%s”', async (past, asked, said) => {
    expect(await told(past, asked, sum)).toContain(`Difference: ${said}.\n   Example: ${sum}`);
  });

  it.each([
    ['Group by region and sum the sales', 'Please group by region and sum up the sales', 0.95],
    ['Group by region and sum the sales', 'Group by region and sum the sales', 1],
    ['Sum the sales that are not paid', "Sum the sales that aren't paid", 0.95],
    ['Calculate the sales of each region', 'Work out the sales of each region', 0.95],
    [
      'Count the red lamps of all shops that opened in spring',
      'Count the blue chairs, tables and sofas in cold stores by weight',
      0.8,
    ],
  ])('is not named where there is none that matters, or too much: “%s”, “%s”', async (past, asked, similarity) => {
    const added = await told(past, asked, sum, similarity);
    expect(added).toContain(`Example: ${sum}`);
    expect(added).not.toContain('Difference');
  });

  it('has no value that is masked', async () => {
    const added = await told('Group the sales of Vera Ricci', 'Group the sales of all of them', sum);
    expect(added).toContain('Example');
    expect(added).not.toMatch(/vera|ricci/i);
  });
});

describe('for a task that differs in one word', () => {
  const mirror = 'Count the symbolic links in the directory mirror of the old web shop';
  const tree = 'Count the symbolic links in the directory tree of the old web shop';
  const example = 'find . -type l | wc -l';

  it('shows only what worked, with the difference', async () => {
    const other = 'Count the hidden files of the shop';
    const hits = [aHit({ task: tree, example, similarity: 0.95 }), aHit({ task: other, example, similarity: 0.75 })];

    expect((await answerTo(mirror, hits)).texts).toEqual([
      [
        `[what worked · 1 run] Task: ${tree}`,
        '   Difference: that task says “tree”, this one says “mirror”.',
        `   Example: ${example}`,
      ].join('\n'),
    ]);
  });

  it('shows no answer: the word may be what is asked for', async () => {
    const [white, black] = ['white', 'black'].map((side) => `Name the best next move in this game for ${side}`);
    const hit = aHit({ task: white as string, example: 'Ra8#', similarity: 0.95, insight: { rule: 'reply' } });

    expect((await answerTo(black as string, [hit])).texts).toEqual([]);
  });

  it('does not count a synonym of several words as a difference', async () => {
    const hits = [aHit({ task: `Look for errors and ${tree}`, example, similarity: 0.95 })];

    expect((await answerTo(`Find errors and ${mirror}`, hits)).added).toContain('this one says “mirror”');
  });

  it('shows nothing that changes something: the word may make all the difference', async () => {
    const [older, younger] = ['older', 'younger'].map((word) => `Delete the sessions that are ${word} than a week`);
    const hit = aHit({
      task: older as string,
      example: "DELETE FROM sessions WHERE created_at < now() - interval '7 days'",
      similarity: 0.95,
      insight: { effects: ['destroys'] },
    });

    expect((await answerTo(younger as string, [hit])).texts).toEqual([]);
  });

  it.each([
    ['an argument of a call', 'refund(order="O-77812", by="mail")', ['refund(order="…", by="…")']],
    ['nothing in the call: it may be the operation', 'refund(order="O-77812")', []],
    ['the name of the call', 'refund_by_mail(order="O-77812")', []],
    ['the name of an argument', 'refund(mail="O-77812")', []],
  ])(
    'shows the shape of a call that changes something only if the word is an argument: here %s',
    async (_, call, shown) => {
      const [mail, phone] = ['mail', 'phone'].map(
        (word) => `Refund the last order of a customer who writes by ${word}`,
      );
      const insight = { effects: ['changes' as const], rule: 'calls' };
      const hit = aHit({ task: mail as string, example: call, similarity: 0.95, insight });

      expect(examplesIn((await answerTo(phone as string, [hit])).texts)).toEqual(shown);
    },
  );

  it('shows nothing that changes something under another verb', async () => {
    const insight = { effects: ['changes' as const], rule: 'calls' };
    const hit = aHit({
      task: 'Archive the mail of Monday',
      example: 'archive(day="Monday")',
      similarity: 0.9,
      insight,
    });

    expect((await answerTo('Forward the mail of Monday', [hit])).texts).toEqual([]);
  });

  it('prefers what worked for the same task', async () => {
    const hits = [aHit({ task: tree, example, similarity: 0.95 }), aHit({ task: mirror, example: 'ls -lR' })];

    expect(examplesIn((await answerTo(mirror, hits)).texts)).toEqual(['ls -lR']);
  });
});

describe('an action that changes something', () => {
  it.each([
    ['Lösche Nutzer 77', 'Nutzer 77 fragt, ob wir ihn löschen'],
    ['Sperre die Karte 5531', 'Sperre die Karte 5531, aber nur im Ausland'],
    ['Verschicke Rechnung 900', 'Verschicke Mahnung 900'],
    ['Überweise 250 Euro an Brandt', 'Überweise 250 Dollar an Brandt'],
    ["Envoie la facture 900 à l'hôtel", 'La moitié : envoie la facture 900 à l’hôtel'],
    ['Bloquea la tarjeta 5518', 'Bloquea la tarjeta 5518 durante una hora'],
  ])('is shown in another language only for the same words: “%s”, not “%s”', async (task, other) => {
    const hit = (similarity: number) => aHit({ task, example: 'perform(id=77)', similarity });

    expect((await answerTo(task, [hit(1)])).added).toContain('perform(');
    expect((await answerTo(other, [hit(0.9)])).texts).toEqual([]);
  });

  it('is shown in another language with other values', async () => {
    const hit = aHit({ task: 'Lösche den Nutzer 77', example: 'delete_user(id=77)', similarity: 0.95 });

    expect((await answerTo('Bitte lösche den Nutzer 99', [hit])).added).toContain('delete_user(id=99)');

    const title = aHit({ task: 'Ferme le ticket 12 de Mme Noir', example: 'close_ticket(id=12)', similarity: 0.9 });
    expect((await answerTo('Ferme le ticket 44 de M. Blanc', [title])).added).toContain('close_ticket(id=…)');
  });

  it.each(['Reverse the refund of order A-7', 'Dispute the refund of order A-7'])(
    'is not shown where its verb is under another one: %s',
    async (asked) => {
      const task = 'Refund order A-1 to Ann Miller, the kettle arrived broken';
      const hit = aHit({ task, example: 'refund(order="A-1", reason="damaged")', similarity: 0.8 });

      expect((await answerTo(asked, [hit])).texts).toEqual([]);
    },
  );

  const told = async ([past, now, example]: readonly [string, string, string]) => {
    const insight = { effects: ['changes' as const] };
    return examplesIn((await answerTo(now, [aHit({ task: past, example, similarity: 0.93, insight })])).texts);
  };

  it.each([
    ['the same words', 'Rotate the keys of the vault', 'Rotate the vault’s keys', 'vault rotate keys'],
    ['a list in another order', 'Sync books and films to the shelf', 'Sync films and books to the shelf', 'shelf sync'],
    ['a request', 'Rotate the keys of the vault', 'How do I rotate the keys of the vault?', 'vault rotate keys'],
    ['where a clause stands', 'Copy notes from a1 to b1', 'From a1, copy notes to b1', 'notes copy a1 b1'],
    ['an article', 'Rotate the keys of a vault', 'Rotate all the keys of the vault', 'vault rotate keys'],
    [
      'words that the action did not take up',
      'Rotate the keys of the vault before the audit begins on site',
      'Rotate the keys of the vault, somebody may have read them',
      'vault rotate',
    ],
  ])('is shown if the tasks differ by %s', async (_, past, now, example) => {
    expect(await told([past, now, example])).toEqual([example]);
  });

  it.each([
    [
      'a word that the action took up',
      'Apply the plan for the lab',
      'Do a rehearsal of the plan for the lab',
      'plan apply lab',
    ],
    [
      'its first verb',
      'Upgrade the chart of the shop',
      'Preview the upgrade of the chart of the shop',
      'chart upgrade',
    ],
    ['one more wish', 'Mail the report to the board', 'Mail the report to the board without figures', 'mailer report'],
    ['one wish less', 'Mail the short report to the board', 'Mail the report to the board', 'mailer report --short'],
    [
      'two words that changed places',
      'Fill spare with the rows of main',
      'Fill main with the rows of spare',
      'rows fill',
    ],
    ['a part of all', 'Fold all letters of the box', 'Fold one letter of the box', 'letters fold box'],
    ['some of each', 'Mail the note to every member', 'Mail the note to the members in Oslo', 'mailer note --all'],
    [
      'two phrases that changed places',
      'Take the old crate and put it on the long shelf',
      'Take the long shelf and put it on the old crate',
      'crate put',
    ],
    ['a small word', 'Put the note above the list', 'Put the note below the list', 'note --at above'],
    [
      'a unit',
      'Set the timeout of the queue to 5 minutes',
      'Set the timeout of the queue to 5 hours',
      'queue --minutes 5',
    ],
    ['a question about it', 'Rotate the keys of the vault', 'Who rotated the keys of the vault?', 'vault rotate keys'],
    ['a report of it', 'Rotate the keys of the vault', 'We have rotated the keys of the vault', 'vault rotate keys'],
    [
      'who gives and who takes',
      'Copy the notes from the attic to the cellar',
      'Copy the notes into the attic out of the cellar',
      'notes copy attic cellar',
    ],
    [
      'what owns what',
      'Copy the notes of the cellar to the attic',
      'Copy the attic’s notes over to the cellar',
      'notes copy cellar attic',
    ],
    [
      'what belongs to the thing',
      'Archive the folder 77 from the shelf',
      'Archive the labels of the folder 77 from the shelf',
      'archive_folder(id=77)',
    ],
    [
      'a condition',
      'Ring the bell of the house B',
      'Ring the bell of the house B if there is a storm',
      'bell.ring(house="B")',
    ],
    ['a particle', 'Scale the shelf to 5 boards', 'Scale the shelf up by 5 boards', 'shelf scale --boards 5'],
    ['a particle at the end', 'Turn on the lamp of the hall', 'Turn the lamp of the hall down', 'lamp hall --on'],
    ['a particle that is missing', 'Check guest 31 in for lunch 88', 'Check guest 31 for lunch 88', 'meal add 88 31'],
    [
      'who did it',
      'Remove the members invited by user Kim from the club',
      'Remove the user Kim invited by members from the club',
      'club purge --by kim',
    ],
    [
      'whether it is only to be checked',
      'Ring the bell of the house B',
      'Check if the bell of the house B did ring',
      'bell ring B',
    ],
    [
      'for whom it is',
      'Ring the bell of the house B',
      'Ring the bell of the house B only for Ann',
      'bell.ring(house="B")',
    ],
  ])('is not shown if they differ by %s', async (_, past, now, example) => {
    expect(await told([past, now, example])).toEqual([]);
  });
});

describe('for a similar task', () => {
  it('describes the programs and options of a command once, in words', async () => {
    const past = 'Count the words in the pages of the shop';
    const examples = ['find . -type f -name x | xargs wc -w', "find . -name '*.html' | xargs wc -w | find y"];
    const hits = examples.map((example) => aHit({ task: past, example, similarity: 0.8 }));

    expect((await answerTo(task, hits)).texts).toEqual([
      `[what worked · 1 run] A similar task, “${past}”, used find with -type and -name and wc with -w.`,
    ]);
  });

  it('names no path, address or long number that the new task does not have', async () => {
    const past =
      'Count the words and/or lines of /srv/shop, https://a.example/b, ~/notes and ./pages/*.html of 555-1234.';
    const hits = [aHit({ task: past, example: 'find /srv/shop -type f | xargs wc -w', similarity: 0.8 })];

    expect((await answerTo(`${task} in ~/notes`, hits)).texts).toEqual([
      '[what worked · 1 run] A similar task, “Count the words and/or lines of …, …, ~/notes and … of ….”, used find with -type and wc with -w.',
    ]);
  });

  it('shows a reply of a conversation as such, but no answer to another question', async () => {
    const said = { rule: 'talk', content: 'The card is blocked from now on.' };
    const talk = aHit({ task: 'My purse with the card was stolen', similarity: 0.8, insight: said });
    const answer = aHit({ task: 'What is the capital of Peru?', similarity: 0.8, insight: { ...said, rule: 'reply' } });

    expect((await answerTo('I lost my card', [talk])).texts).toEqual([
      '[what worked · 1 run] The reply to a similar task, “My purse with the card was stolen”, was: “The card is blocked from now on.”',
    ]);
    expect((await answerTo('What is the capital of Chile?', [answer])).texts).toEqual([]);
  });

  it('names the parameters of a cmdlet, and no comparisons', async () => {
    const example = 'Get-ADUser -Filter * -SearchBase $base | Where-Object -Property Age -eq 4';
    const hit = aHit({ task: near, example, similarity: 0.8 });

    expect((await answerTo(task, [hit])).added).toMatch(/Get-ADUser with -Filter and -SearchBase/);
    expect((await answerTo(task, [hit])).added).not.toMatch(/-e\b/);
  });

  it('shows no reply that may depend on what another case was like', async () => {
    const said = { rule: 'talk', content: 'It is cold in there, so I left the window closed.' } as const;
    const talk = aHit({ task: 'If it is warm in the shed, open the window', similarity: 0.8, insight: said });

    expect((await answerTo('If it is warm in the barn, open the window', [talk])).texts).toEqual([]);
  });

  it('describes a command that changes something, if it is not shown for its own task in other words', async () => {
    const past = 'Create an empty file "a.txt" in each folder named "inbox"';
    const hits = [aHit({ task: past, example: "find . -name 'inbox' -exec touch {}/a.txt ';'", similarity: 0.9 })];

    expect((await answerTo('Each folder called "inbox" gets a new empty file "a.txt"', hits)).texts).toEqual([
      `[what worked · 1 run] A similar task, “${past}”, used find with -name and -exec and touch.`,
    ]);
  });

  it('names no programs that a nearer task did without, although that one is not told', async () => {
    const renamed = (example: string) => aHit({ task: 'Rename "a.txt" to "b.txt"', example, similarity: 0.9 });
    const farther = aHit({ task: 'Show when "c.txt" got its name', example: 'stat c.txt', similarity: 0.8 });
    const told = async (...hits: (typeof farther)[]) => (await answerTo('Label "a.txt" as "b.txt"', hits)).texts;

    expect(await told(farther)).toHaveLength(1);
    expect(await told(renamed('mv a.txt b.txt'), farther)).toEqual([]);
    expect(await told(renamed('stat a.txt && mv a.txt b.txt'), farther)).toHaveLength(1);
  });

  describe('whose commands are less similar', () => {
    const told = async (examples: readonly string[]) => {
      const hits = examples.map((example, at) =>
        aHit({ task: `Count the words of book ${at}`, example, similarity: 0.6, origin: { agentType: 'shell' } }),
      );
      return (await answerTo(task, hits, { agentType: 'shell' })).texts;
    };

    it('names the two likeliest combinations of programs, those of most tasks first', async () => {
      expect(await told(['du a', 'ls a', 'wc -w a | sort', 'wc -w b | sort -n', 'stat a'])).toEqual([
        '[what worked · 2 runs] Similar tasks used wc and sort.',
        '[what worked · 1 run] A similar task used du.',
      ]);
    });

    it('names the programs that most used, unless they are a whole pipeline', async () => {
      expect(await told(['cat a | wc -w', 'cat b | wc -w', 'ls c'])).toEqual([
        '[what worked · 2 runs] Similar tasks used cat and wc.',
      ]);
      expect(await told(['cat a | sort | wc -w', 'cat b | sort | wc -w', 'ls c'])).toEqual([]);
    });

    it('names none beside a near command', async () => {
      const hits = ['wc -w a', 'wc -l b', 'ls c'].map((example, at) =>
        aHit({ task: `Count the words of book ${at}`, example, similarity: 0.8 - at / 10 }),
      );

      expect((await answerTo(task, hits)).texts).toEqual([
        '[what worked · 1 run] A similar task, “Count the words of book 0”, used wc with -w.',
      ]);
    });

    it('counts a task once, however many ways of doing it are known', async () => {
      const origin = { agentType: 'shell' };
      const ways = ['du a', 'du b', 'du c'].map((example) =>
        aHit({ task: 'Count the words of book 7', example, similarity: 0.6, origin }),
      );
      const others = ['ls a', 'ls b'].map((example, at) =>
        aHit({ task: `Count the words of book ${at}`, example, similarity: 0.6, origin }),
      );

      expect((await answerTo(task, [...ways, ...others], origin)).texts[0]).toContain('Similar tasks used ls.');
    });

    it('names neither a whole pipeline, nor what a single task used whose program nobody knows', async () => {
      expect(await told(['cat a | tr a b | sort | uniq | wc -l'])).toEqual([]);
      expect(await told(['wc a'])).toHaveLength(1);
      expect(await told(['tally3 --words book'])).toEqual([]);
    });
  });

  it('shows three lessons about different objects, with their tasks', async () => {
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

  it('shows runs that made the same changes as most similar runs', async () => {
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

  it('says once that nothing was changed, and shows a rule instead of a third example', async () => {
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
      expect.stringMatching(
        /^\[what worked · 2 runs\] The reply to a similar task, “My post is late”, said: “A parcel cannot be sent back/,
      ),
    ]);
  });

  it('shows the text of a lesson without an example', async () => {
    const hit = aHit({ task: near, similarity: 0.8, insight: { content: 'Ask for the order first.' } });

    expect((await answerTo(task, [hit])).texts).toEqual(['[what worked · 1 run] Ask for the order first.']);
  });

  it('shows a recovery only next to an example that could hit the error', async () => {
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

  it('shows changes only if both tasks clearly ask for the same', async () => {
    const moved = (example: string) =>
      aHit({ task: 'Move the photos from disk_b to disk_c', example, similarity: 0.8 });
    const asked = 'Move the photos from disk_a to disk_b, please';

    expect((await answerTo(asked, [moved("UPDATE photo SET disk = 'c' WHERE disk = 'b'")])).texts).toEqual([]);
    expect((await answerTo(asked, [moved("SELECT disk FROM photo WHERE disk = 'b'")])).texts).toHaveLength(1);
  });
});
