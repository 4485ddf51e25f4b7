import type { Insight } from '@whetstone/contracts';

import { reflect } from '../reflect.js';
import { type Exchange, interactionOf } from '../test-kit/interactions.js';

function lessonsOf(success: boolean, turns: readonly Exchange[], query = 'I need my loan extended.'): Insight[] {
  return reflect(interactionOf({ query, agentType: 'library_desk', success, turns })).insights;
}

const member: Exchange = [
  'find_member({"email": "ada@example.com"})',
  '{"card_id": "card_4471", "loans": ["C-20117"]}',
];
const renewal: Exchange = ['renew_loan({"card_id": "card_4471", "copy_id": "C-20117"})', '{"due": "2031-02-01"}'];

it('teaches to tell what a change costs and to wait for the yes that the run had, however it was asked for', () => {
  const [lesson] = lessonsOf(true, [
    ['May I have your email?', 'ada@example.com'],
    member,
    ['Renewing the novel costs $2, charged to your card. Does that look right? Reply “yes” and I renew it.', 'Yes.'],
    renewal,
  ]);

  expect(lesson?.content).toBe(
    'Read the records first: `find_member` (for `card_id` and `copy_id`). Tell the user what will be done, the amounts and how it is paid or refunded, wait for a yes, and only then call `renew_loan`.',
  );
  expect(lesson?.steps).toEqual(['`find_member`', "Say what will be done and get the user's yes", '`renew_loan`']);
});

it('says that a look-up found what the user did not know only where it did', () => {
  const turns = (asked: string): Exchange[] => [[asked, "I'm sorry, I don't have it here."], member, renewal];

  const [found] = lessonsOf(true, turns('Could you please provide your card number?'));
  expect(found?.content).toContain('`find_member` (for `copy_id` and `card_id`, which the user did not know)');
  const [other] = lessonsOf(true, turns('Could you please provide the phone number?'));
  expect(other?.content).not.toContain('did not know');
});

it('drops look-ups from a title before the tool that decides, and cuts no tool', () => {
  const [lesson] = lessonsOf(true, [
    ['find_member_by_email_address({"email": "ada@example.com"})', 'card_4471'],
    ['get_loans_and_reservations_of_member({"card_id": "card_4471"})', 'C-20117'],
    ['get_conditions_of_lending_for_copy({"copy_id": "C-20117"})', 'none'],
    ['extend_the_loan_of_a_borrowed_copy({"copy_id": "C-20117"})', 'ok'],
  ]);

  expect(lesson?.title).toBe(
    'Look up with `find_member_by_email_address` and `get_loans_and_reservations_of_member`, then call `extend_the_loan_of_a_borrowed_copy`',
  );
});

it('teaches to act on a yes after which nothing was called', () => {
  const [lesson] = lessonsOf(false, [
    member,
    ['I would renew the novel until February. Please confirm that you want me to proceed.', 'Yes, please.'],
  ]);

  expect(lesson).toMatchObject({ kind: 'pitfall', title: "Act at once on the user's yes" });
  expect(lesson?.content).toContain('and no call followed; the run failed.');
});

it('warns of a run that said that it was done and called nothing', () => {
  const [lesson] = lessonsOf(false, [
    member,
    ['I would renew the novel until February. Shall I proceed?', 'Yes.'],
    ['I have renewed it until February.', 'Thank you.'],
  ]);

  expect(lesson?.title).toBe('Do not say that it is done without the call that does it');
});

it('takes no yes for unused that a call, or a change of mind, followed', () => {
  const ask: Exchange = ['I would renew the novel until February. Shall I proceed?', 'Yes.'];

  const detail: Exchange = ['Is the northern branch right?', 'The southern one.'];

  for (const end of [
    [renewal],
    [detail, renewal],
    [['Shall I really do that?', 'No, leave it.']],
  ] satisfies Exchange[][])
    expect(lessonsOf(false, [member, ask, ...end]).map(({ title }) => title)).not.toContain(
      "Act at once on the user's yes",
    );
});

it('points out a change that a failed run made before the user had said yes to it', () => {
  const [lesson] = lessonsOf(false, [member, ['Which one is it?', 'The novel.'], renewal]);

  expect(lesson?.content).toContain('What stands out: `renew_loan` came before the user had said yes to just that.');
});

it('takes what has to be so for no reason to decline', () => {
  const [lesson] = lessonsOf(true, [
    member,
    ['The novel lies at the desk, and the card must be shown there so that it can be handed out at once.', 'Thanks.'],
  ]);

  expect(lesson?.title).not.toMatch(/Decline/);
});

it('claims in no language that it cannot read that there was no yes', () => {
  const asked = ['Haluatko, että uusin lainan?', 'Kyllä kiitos.'] as const;
  const [lesson] = lessonsOf(false, [member, asked, renewal]);

  expect(lesson?.content).not.toContain('What stands out');
});

it('calls only the hand-over a hand-over, and tells in which words the case was given away', () => {
  const [lesson] = lessonsOf(false, [
    member,
    renewal,
    ['transfer_to_human({"summary": "The member wants a fine back, but the tools cannot refund fines."})', 'ok'],
  ]);

  expect(lesson?.title).toBe('Handing over with `transfer_to_human` after `renew_loan` did not solve it');
  expect(lesson?.content).toBe(
    'After `renew_loan` had gone through, the run ended by handing over to a person with `transfer_to_human` in these words: ' +
      '“The user wants a fine back, but the tools cannot refund fines.”, and failed. See first whether the tools allow what was asked.',
  );
});

it('counts only the requests that came after the user had said that they had not got it, and names the look-up that has it', () => {
  const [lesson] = lessonsOf(false, [
    ['Could you please provide your name?', 'Ada.'],
    ['find_member({"name": "Ada"})', '{"loans": ["C-20117"]}'],
    ['Could you please provide the loan number?', "I don't have the loan number."],
    ['Please provide the loan number, it stands on the receipt.', 'I have no receipt.'],
    ['Please provide the loan number.', "I don't know it!"],
  ]);

  expect(lesson?.content).toBe(
    'The user had said that they did not have what the agent asked for, and the agent asked 2 more times; the run failed. `find_member` shows the loans: look there instead of asking.',
  );
});

it('says of a refusal that names its condition where to look that up before the call', () => {
  const refused: Exchange = [
    'renew_loan({"loan_id": "L-20117", "weeks": 2})',
    '{"error": "non-overdue loans cannot be renewed at the desk"}',
  ];
  const looked = lessonsOf(false, [
    ['list_branches({"weeks": 2})', '["north"]'],
    ['get_loan({"loan_id": "L-20117"})', '{"state": "lent"}'],
    refused,
  ]);
  const unseen = lessonsOf(false, [refused]);

  expect(looked[0]?.content).toContain(
    'The message names the condition: look it up before this call (`get_loan` reads that record), and take the call that fits it.',
  );
  expect(unseen[0]?.content).toContain('look it up before this call, and take the call that fits it.');
});

it('counts the errors of one tool without those of another', () => {
  const [lesson] = lessonsOf(false, [
    ['get_loan({"loan_id": "L-1"})', '{"error": "loan not found"}'],
    ['get_member({"card_id": "M-1"})', '{"error": "member not found"}'],
  ]);

  expect(lesson?.content).toMatch(/^`get_member` ended in “member not found”, and the run failed\./);
  expect(lesson?.content).toContain('check how it is written, or look it up by something else that is known');
});

it('says what a conversation turned into where its first words do not ask for what was done', () => {
  const renewed = (query: string, asked: string) =>
    lessonsOf(true, [member, ['How can I help?', asked], ['Shall I?', 'Yes.'], renewal], query)[0]?.appliesWhen;

  expect(renewed('Is the reading room open today?', 'A pity. I would like to have my novel for longer.')).toBe(
    'tasks like “Is the reading room open today” that turn into “I would like to have my novel for longer”',
  );
  expect(renewed('Please renew my novel.', 'I would like to keep it for longer.')).toBe(
    'tasks like “Please renew my novel”',
  );
});

it('warns of a run that ended on a question with nothing done, unless the user had taken leave', () => {
  const titles = (answer: string) =>
    lessonsOf(false, [
      member,
      ['Could you please tell me which branch?', 'The northern one.'],
      ['Could you please tell me until when?', answer],
    ]).map(({ title }) => title);

  expect(titles('Until March.')).toContain('Do not end on a question with nothing done');
  expect(titles('Forget it, thanks.')).toEqual([]);
  expect(titles('Nein danke, tschüss.')).toEqual([]);
});

const loan: Exchange = [
  'get_loan({"loan_id": "L-20117"})',
  '{"loan_id": "L-20117", "title": "novel", "state": "lent", "reserved": false}',
];

it('says how it stood with the record that was changed, for each tool what its records had in common', () => {
  const other: Exchange = [
    'get_loan({"loan_id": "L-20118"})',
    '{"loan_id": "L-20118", "state": "lent", "reserved": true}',
  ];
  const renew = (id: string): Exchange => [`renew_loan({"loan_id": "${id}"})`, 'ok'];

  expect(lessonsOf(true, [loan, renew('L-20117')])[0]?.content).toBe(
    'Read the records first: `get_loan`. Then call `renew_loan` (here `state` was “lent”, `reserved` “no”).',
  );
  expect(lessonsOf(true, [loan, other, renew('L-20117'), renew('L-20118')])[0]?.content).toBe(
    'Read the records first: `get_loan`. Then call `renew_loan` for each of them (2 here, `state` was “lent”).',
  );
});

it('says how it stood with the one record that was declined, and nothing where there were several', () => {
  const decline: Exchange = ['Loans can only be renewed once.', 'A pity.'];
  const unlike: Exchange = ['get_loan({"loan_id": "L-20118"})', '{"loan_id": "L-20118", "state": "overdue"}'];

  expect(lessonsOf(true, [loan, decline])[0]?.content).toContain(
    '(`get_loan`; here `state` was “lent”, `reserved` “no”).',
  );
  expect(lessonsOf(true, [loan, unlike, decline])[0]?.content).toContain('(`get_loan`).');
});

it('lets the user say just what is wanted before a change that a run made without a yes', () => {
  const [lesson] = lessonsOf(true, [member, ['Which one?', 'The novel.'], renewal]);

  expect(lesson?.content).toContain('When the user has said just what is wanted, call `renew_loan`');
});

it('reads what the user said where it stands in the inputs of the next turn', () => {
  const [lesson] = lessonsOf(true, [
    ['May I have your email?', undefined, 'user: I need my loan extended.'],
    [member[0], undefined, 'user: ada@example.com'],
    ['Shall I renew the novel?', undefined, `tool: ${member[1]}`],
    [renewal[0], undefined, 'user: Yes.'],
  ]);

  expect(lesson?.content).toBe(
    'Read the records first: `find_member` (for `card_id` and `copy_id`). Tell the user what will be done, wait for a yes, and only then call `renew_loan`.',
  );
});

it('takes no transcript that is told again in every turn for what the user said', () => {
  const story = 'user: I need my loan extended. Yes.\nassistant: Shall I renew the novel?';
  const [lesson] = lessonsOf(false, [
    ['Shall I renew the novel?', undefined, 'user: I need my loan extended. Yes.'],
    [renewal[0], 'ok', story],
  ]);

  expect(lesson?.title).toBe('`renew_loan` went through, and the run still failed');
  expect(lesson?.content).not.toContain('What stands out');
});

it('cuts a title that is too long where no name is cut', () => {
  const lesson = lessonsOf(true, [
    [
      'renew_loan({"loan_id": "L-20117"})',
      '{"error": "the reader has to be a member of the branch that owns the copy"}',
    ],
    ['get_memberships_of_reader_in_all_branches({"reader_id": "R-1"})', '{"membership_id": "M-20117"}'],
    ['renew_loan({"loan_id": "L-20117", "membership_id": "M-20117"})', 'ok'],
  ]).find(({ kind }) => kind === 'recovery');

  expect(lesson?.title).toMatch(/…$/);
  expect(lesson?.title.length).toBeLessThanOrEqual(160);
  expect((lesson?.title.split('`').length ?? 0) % 2).toBe(1);
});
