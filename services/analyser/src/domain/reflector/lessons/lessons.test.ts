import { reflect } from '../reflect.js';
import { interactionOf, type Sample } from '../test-kit/interactions.js';

function lessonsOf(sample: Sample) {
  return reflect(interactionOf(sample)).insights;
}

it('advises on a script inside a command as on a script, and not as on a database', () => {
  const [lesson] = lessonsOf({
    query: 'Print the second column of the table',
    agentType: 'shell',
    success: false,
    turns: [
      ["awk '{print $2:}' table.txt", 'awk: line 1: syntax error at or near :'],
      ["awk '{print :$2}' table.txt", 'awk: line 1: syntax error at or near :'],
    ],
  });

  expect(lesson?.content).toMatch(/does not parse/);
  expect(lesson?.content).not.toMatch(/database/);
});

it('shows a rejected form as it was sent, its dress included', () => {
  const fenced = (command: string) => `\`\`\`\n${command}\n\`\`\``;
  const [lesson] = lessonsOf({
    query: 'Show the size of the archive',
    agentType: 'shell',
    success: false,
    turns: [
      [fenced('du -h backup.tar'), 'bash: ```: command not found'],
      [fenced('du -h ./backup.tar'), 'bash: ```: command not found'],
    ],
  });

  expect(lesson?.title).toBe('Send the bare action, without a code fence (```)');
  expect(lesson?.example).toBe('```\ndu -h backup.tar\n```');
});

it('blames for a loop of wrapped actions the wrapping alone', () => {
  const lessons = lessonsOf({
    query: 'Show the size of the archive',
    agentType: 'shell',
    success: false,
    turns: Array(3).fill(['`du -h backup.tar`', "bash: -c: line 1: unexpected EOF while looking for matching ``'"]),
  });

  expect(lessons.map(({ title }) => title)).toEqual(['Send the bare action, without back-ticks']);
});

it('tells no way out of a loop that is only the same by another number', () => {
  const lessons = lessonsOf({
    query: 'Put the mug on the shelf',
    success: true,
    turns: [
      ...Array(3).fill(['go to shelf 1', 'Nothing happens.']),
      ['go to shelf 2', 'You are at the shelf.'],
      ['take mug 1 from shelf 2', 'You take the mug.'],
      ['put mug 1 on shelf 2', 'Done.'],
    ],
  });

  expect(lessons.map(({ title }) => title)).not.toContainEqual(expect.stringMatching(/loop/));
});

it('says of several programs what they do, and of one what it does', () => {
  const title = (command: string, result: string) =>
    lessonsOf({ query: 'Count the seeds', agentType: 'shell', success: false, turns: [[command, result]] })[0]?.title;

  expect(title('cat seeds | counter', 'Error: broken pipe')).toBe('`cat` and `counter` end in “broken pipe”');
  expect(title('cat seeds', 'cat: seeds: No such file or directory')).toMatch(/^`cat` ends in/);
});

it('tells of an edit that was made again nothing but the edit', () => {
  const edit = (to: string) => `edit_file({"command": "replace", "path": "beds.py", "old": "rows", "new": "${to}"})`;
  const [lesson] = lessonsOf({
    query: 'Mend the count of the beds',
    success: true,
    turns: [
      ['edit_file({"command": "view", "path": "beds.py"})', 'rows = 1'],
      [edit('row'), 'edited'],
      [edit('beds'), 'edited'],
      ['pytest -q', '3 passed'],
    ],
  });

  expect(lesson?.content).toBe('One call did it: `edit_file replace`. Confirmed with `pytest -q`.');
});

it('names nobody on a path through pages', () => {
  const [lesson] = lessonsOf({
    query: 'Order seeds for Mrs. Ada Marlow',
    agentType: 'browser',
    success: true,
    turns: [['click [7]', 'Ordered.', "[7] button 'Pay as Ada Marlow'"]],
  });

  expect(lesson?.title).toBe("Path that worked: click button 'Pay as …'");
  expect(lesson?.appliesWhen).toBe('tasks like “Order seeds for Mrs. …”');
});

it('takes no question to the user for the answer that settled it', () => {
  const lessons = lessonsOf({
    query: 'Where does my parcel stay?',
    success: true,
    turns: [
      ['Please provide the number of your parcel, which stands on the receipt that the shop has sent you.', 'Later.'],
    ],
  });

  expect(lessons).toEqual([]);
});

it('takes no reply that leaves the matter open for the answer that settled it', () => {
  const lessons = lessonsOf({
    query: 'Where does my parcel stay?',
    success: true,
    turns: [
      [
        'I cannot proceed without the number of the parcel. Please check the receipt for it, and if it is lost I recommend contacting the support team again.',
        'Fine.',
      ],
    ],
  });

  expect(lessons).toEqual([]);
});

it('states no rule that only says what one record shows', () => {
  const lessons = lessonsOf({
    query: 'Add my sister to the booking',
    agentType: 'support',
    success: true,
    turns: [
      ['get_booking({"booking_id": "K7"})', '{"guests": 1}'],
      ['The booking details I retrieved show only one guest, so no other guest can be removed from it.', 'Fine.'],
      ['add_guest({"booking_id": "K7"})', 'ok'],
    ],
  });

  expect(lessons.map(({ title }) => title)).not.toContainEqual(expect.stringMatching(/Rule/));
});

it('does not take a command that grew by half a dozen programs for the way past an error', () => {
  const lessons = lessonsOf({
    query: 'Delete the empty files',
    agentType: 'shell',
    success: false,
    turns: [
      ['ls | xargs -i stat {}', 'xargs: {}: No such file or directory'],
      ['ls | grep x | cut -c 1 | xargs -i stat {} | sort | uniq | wc -l | tr -d x', '4'],
    ],
  });

  expect(lessons.map(({ kind }) => kind)).not.toContain('recovery');
});

it('warns of a reply that failed, with how it was taken', () => {
  const [lesson] = lessonsOf({
    query: 'My train was cancelled, how do I get my money back?',
    success: false,
    turns: [['Trains are cancelled now and then, and the next one comes in an hour.', 'That is no answer!']],
  });

  expect(lesson).toMatchObject({
    kind: 'pitfall',
    content:
      'The run failed with this reply: “Trains are cancelled now and then, and the next one comes in an hour.” What came back: “That is no answer!”',
  });
});

it('tells what a call was refused for without the values of the one call', () => {
  const [lesson] = lessonsOf({
    query: 'Reserve the court for Tuesday',
    success: false,
    turns: [
      ['reserve({"court": "north-2", "day": "Tuesday"})', '{"error": "north-2 is busy"}'],
      ['reserve({"court": "north-2", "day": "Tuesday"})', '{"error": "north-2 is busy"}'],
    ],
  });

  expect(lesson?.content).toMatch(
    /^`reserve` ended in “… is busy” 2 times, unchanged, and the run failed. Look up what is free/,
  );
});

it('names an element of a page as the action names it, brackets and quotes included', () => {
  const [lesson] = lessonsOf({
    query: 'Change the price of the poster',
    success: true,
    turns: [
      [`click("tr:has-text('Poster') >> text=Edit")`, 'Form'],
      ['fill("input[name=price]", "14.50")', 'Field price: 14.50'],
    ],
  });

  expect(lesson?.content).toBe(
    "Take this way, it worked: click “tr:has-text('Poster') >> text=Edit” → type into “input[name=price]”.",
  );
});

it('teaches what became of the program that complained, and nothing where that went through as it was', () => {
  const recoveryFrom = (worked: string) =>
    lessonsOf({
      query: 'Show the biggest folders',
      agentType: 'shell',
      success: true,
      turns: [
        ['du -y /srv | sort', "du: invalid option -- 'y'"],
        [worked, '12 /srv'],
      ],
    }).find(({ kind }) => kind === 'recovery')?.content;

  expect(recoveryFrom('du -s /srv | sort | head')).toContain('What worked: `-s` instead of `-y`.');
  expect(recoveryFrom('du -y /srv | sort | head')).toBeUndefined();
});

it('compares a command with an earlier form of it only where both run the same programs', () => {
  const strategyAfter = (earlier: string) =>
    lessonsOf({
      query: 'Count the words',
      agentType: 'shell',
      success: true,
      turns: [
        [earlier, '3'],
        ['cat notes.txt list.txt | wc -w', '9'],
      ],
    })[0]?.content;

  expect(strategyAfter('cat notes.txt list.txt | wc -l')).toContain('`-w` instead of `-l`');
  expect(strategyAfter('cat notes.txt list.txt | sort | wc -w')).not.toContain('tried before');
});

it('advises to work out the total where amounts do not add up', () => {
  const [lesson] = lessonsOf({
    query: 'Pay the hall for the concert',
    success: false,
    turns: [
      ['pay({"parts": [40, 40]})', 'Error: the parts do not add up'],
      ['pay({"parts": [40, 45]})', 'Error: payment does not add up, total is 90'],
    ],
  });

  expect(lesson?.content).toContain('the parts come to exactly that');
});
