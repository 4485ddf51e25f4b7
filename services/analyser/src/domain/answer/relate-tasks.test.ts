import { createRelateTasks } from './relate-tasks.js';
import { aHit, answerTo, times } from './test-kit/hits.js';

const relate = (task: string, past: string, similarity = 0.9) =>
  createRelateTasks()(task).relationsTo().relate(past, similarity);
const relationOf = (task: string, past: string, similarity?: number) => relate(task, past, similarity).relation;

describe('a past task is the same', () => {
  it.each([
    ['Delete the large logs', '  delete the large logs.\n'],
    ['Count the lines of "a.txt"', "Count the lines of 'a.txt'!"],
    ['List files (in /srv) now', 'list files in /srv, now'],
    ['Show the ten largest files there', 'Show the 10 largest files there'],
  ])('if only case, whitespace and punctuation differ: %s', (task, past) => {
    expect(relate(task, past, 0)).toMatchObject({ relation: 'same', verbatim: true, wordForWord: true });
  });

  it.each([
    ['Show the files that are larger than 5 MB in /srv', 'Show files larger than 5 MB in /srv'],
    ['Count the lines of all files under /srv/app', 'Count all of the lines of the files under /srv/app'],
  ])('if the words that carry meaning are equal: %s', (task, past) => {
    expect(relate(task, past, 0.5)).toMatchObject({ relation: 'same', verbatim: false, wordForWord: true });
  });

  it('if it is a close paraphrase with the same values, but then not word for word', () => {
    const task = 'Find out what program has TCP port 8443 open for listening';
    const past = 'Show which process is listening on TCP port 8443';

    expect(relate(task, past, 0.85)).toMatchObject({ relation: 'same', verbatim: false, wordForWord: false });
    expect(relationOf(task, past, 0.79)).toBe('similar');
    expect(relationOf(task, past.replace('8443', '8444'), 0.95)).toBe('similar');
    expect(relationOf(task, `${past} of /srv/app`, 0.95)).toBe('similar');
    expect(relationOf('Open the shop at 8443', past, 0.95)).toBe('similar');
  });

  it.each([
    ['Delete all folders called "tmp" under /srv', 'Get rid of all the directories named "tmp" under /srv'],
    ['Find the folder "mysql" on /srv', 'Search for the directory "mysql" on /srv'],
  ])('word for word, if the other words are synonyms: %s', (task, past) => {
    expect(relate(task, past, 0.7)).toMatchObject({ relation: 'same', wordForWord: true });
  });

  it.each([
    [
      'Find the files in /srv that changed within the last hour',
      'Find the files in /srv that were read within the last hour',
    ],
    ['Average age of singers', 'Maximum age of singers'],
    ['Count the lines of each file in /srv', 'Count the lines of each file in /srv, sorted by size, largest last'],
  ])('but not if a word was replaced or a wish added: %s', (task, past) => {
    expect(relationOf(task, past, 0.95)).toBe('similar');
    expect(relationOf(past, task, 0.95)).toBe('similar');
  });

  it.each([
    ['Count orders per customer in the orders table', 'Count items per customer in the orders table'],
    [
      'Look up the price of article A-17 in the sheet Prices',
      'Look up the supplier of article A-17 in the sheet Prices',
    ],
  ])('but not if a word is replaced by one that the text has elsewhere: %s', (task, past) => {
    expect([relationOf(task, past), relationOf(past, task)]).toEqual(['similar', 'similar']);
  });

  it('but not if an operator or the case of a value differs', () => {
    expect(relationOf('List orders with price < 5', 'List orders with price > 5')).not.toBe('same');
    expect(relationOf('Find the file "Foo" there', 'Find the file "foo" there')).not.toBe('same');
  });
});

describe('a past task is a variant', () => {
  it.each([
    ['Count the lines of /srv/b.txt', 'Count the lines of /srv/a.txt', [['/srv/a.txt', '/srv/b.txt']]],
    ['Show files older than 30 days', 'Show files older than 7 days', [['7', '30']]],
    ['Show files older than 1 day', 'Show files older than 7 days', [['7', '1']]],
    ['List all concerts in Oslo', 'List all concerts in Rome', [['Rome', 'Oslo']]],
    [
      'Copy "a b" to /tmp/x and "c" to /tmp/y',
      'Copy "d e" to /tmp/x and "f" to /tmp/z',
      [
        ['d e', 'a b'],
        ['f', 'c'],
        ['/tmp/z', '/tmp/y'],
      ],
    ],
  ])('if only values differ: %s', (task, past, swaps) => {
    expect(relate(task, past, 0.5)).toMatchObject({ relation: 'variant', swaps, verbatim: true, wordForWord: true });
  });

  it.each([
    ['a word differs', 'Count the words of /srv/b.txt', 'Count the lines of /srv/a.txt'],
    ['a value stands in the place of a word', 'Count the lines of /srv/b.txt', 'Count the lines of files'],
    ['there are more words', 'Count the lines of /srv/b.txt twice', 'Count the lines of /srv/a.txt'],
    ['one value became two', 'Compare /srv/b with /srv/c now', 'Compare /srv/a with /srv/a now'],
    ['one was kept in another place', 'Compare /srv/b with /srv/a now', 'Compare /srv/a with /srv/a now'],
    ['hardly a word is shared', 'Show 5', 'Show 7'],
  ])('but not if %s', (_, task, past) => {
    expect(relationOf(task, past)).not.toBe('variant');
  });
});

describe('a past task is unusable', () => {
  it.each([
    ['Delete everything in /data/in except the *.txt files', 'Delete the *.txt files in /data/in'],
    ['Stop all containers except those with env=staging', 'Stop all containers with env=staging'],
    ['Disable the nightly backup of the shop', 'Enable the nightly backup of the shop'],
    ['Move all photos from b to a', 'Move all photos from a to b'],
    ['Copy the notes from /srv/b to /srv/a', 'Copy the notes from /srv/a to /srv/b'],
  ])('if it asks for the opposite: %s', (task, past) => {
    expect(relationOf(task, past, 0.99)).toBe('none');
  });
});

/** A near miss that does the opposite is worse than no answer. */
describe('the opposite of a past task', () => {
  it.each([
    [
      'Delete everything in /data/in except the *.txt files',
      'Delete the *.txt files in /data/in',
      "find /data/in -name '*.txt' -delete",
    ],
    [
      'Stop all containers except those with the label env=staging',
      'Stop all containers with the label env=staging',
      'docker stop $(docker ps -q --filter label=env=staging)',
    ],
    ['Disable the nightly backup timer', 'Enable the nightly backup timer', 'systemctl enable backup.timer'],
    [
      'Revoke write access to repo billing from ops',
      'Grant write access to repo billing to ops',
      'acl grant ops billing',
    ],
    ['Copy the photos from /srv/b to /srv/a', 'Copy the photos from /srv/a to /srv/b', 'cp /srv/a/*.jpg /srv/b'],
  ])('does not get its example: %s', async (task, past, example) => {
    const stored = times(5, () => aHit({ task: past, example, similarity: 0.97 }));

    expect((await answerTo(task, stored)).added).toBe('');
    expect((await answerTo(past, stored)).added).toContain(example);
  });

  it('gets the programs of a command that only reads', async () => {
    const [past, example] = ['Show the largest file under /srv', 'du -a /srv | sort -n'];
    const stored = times(5, () => aHit({ task: past, example, similarity: 0.97 }));

    expect((await answerTo('Show the smallest file under /srv', stored)).texts).toEqual([
      '[what worked · 5 runs] A similar task used du and sort.',
    ]);
  });

  it('does not get its call either, whatever the syntax', async () => {
    const stored = ['set_alarm(state="on")', '{"name":"set_alarm","arguments":{"state":"on"}}'].map((example) =>
      aHit({ task: 'Enable the alarm in the hall', example, similarity: 0.97 }),
    );

    expect((await answerTo('Disable the alarm in the hall', stored)).added).toBe('');
  });

  it('a likely paraphrase does not get a destructive example', async () => {
    const stored = times(5, () =>
      aHit({ task: 'Delete the empty files in /srv/in', example: 'find /srv/in -empty -delete', similarity: 0.95 }),
    );

    expect((await answerTo('Delete the hidden files in /srv/in', stored)).added).not.toContain('-delete\n');
    expect((await answerTo('Delete the hidden files in /srv/in', stored)).added).not.toContain('Example');
  });
});

describe('a task that names something else', () => {
  const past = 'Restart the ledger service';
  const told = async (task: string, example: string, similarity = 0.8) =>
    (await answerTo(task, [aHit({ task: past, example, similarity })])).added;

  it('gets the command with that name', async () => {
    const added = await told('Restart the mailer service', 'systemctl restart ledger');

    expect(added).toContain('Task: Restart the mailer service\n   Example: systemctl restart mailer\n');
    expect(added).not.toContain('ledger');
  });

  it.each([
    ['is no name in the command', 'Restart the mailer service', 'fleet restart --service ledger'],
    ['would lose what it names', 'Restart the mailer service', 'systemctl kill ledger'],
    ['only describes it', 'Restart the failing service', 'systemctl restart ledger'],
    ['follows the opposite verb', 'Stop the mailer service', 'systemctl restart ledger'],
  ])('gets no command if the word %s', async (_, task, example) => {
    expect(await told(task, example)).not.toContain('Example');
  });
});
