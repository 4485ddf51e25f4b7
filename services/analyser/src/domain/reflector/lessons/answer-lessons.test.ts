import { handsInAnswer } from '../actions/given-answer.js';
import { reflect } from '../reflect.js';
import { interactionOf, type Sample } from '../test-kit/interactions.js';

const query = 'In which town did the founder of the Harbour Choir go to school?';

function lessonsOf(sample: Omit<Sample, 'query'>) {
  return reflect(interactionOf({ query, ...sample })).insights;
}

it('ends the way to a success with the answer that it led to', () => {
  const [lesson] = lessonsOf({
    success: true,
    turns: [
      ['Search[Harbour Choir]', 'The Harbour Choir was founded by Ida Holm.'],
      ['Search[Ida Holm (singer)]', 'Ida Holm went to school in Lervik.'],
      ['Finish[Lervik]', ''],
    ],
  });

  expect(lesson?.title).toBe('Path that worked: search for words of the task → search “Ida Holm (singer)”');
  expect(lesson?.example).toBe('Search[Harbour Choir]\nSearch[Ida Holm (singer)]\nFinish[Lervik]');
  expect(lesson?.evidence).toEqual([1, 2, 3]);
});

it('keeps an answer that was right at once', () => {
  const [lesson] = lessonsOf({ success: true, turns: [['Thought: I know it.\nFinal Answer: Lervik', '']] });

  expect(lesson).toMatchObject({ kind: 'strategy', example: 'Final Answer: Lervik' });
});

it('says which answer was wrong, and no more that nobody knows why', () => {
  const lessons = lessonsOf({
    success: false,
    turns: [
      ['Search[Harbour Choir]', 'The Harbour Choir was founded by Ida Holm.'],
      ['Finish[Holm]', ''],
    ],
  });

  expect(lessons).toEqual([expect.objectContaining({ kind: 'pitfall', title: 'Not the answer: “Finish[Holm]”' })]);
});

it('learns to take what a refusal offers', () => {
  const [, lesson] = lessonsOf({
    success: true,
    turns: [
      ['Search[Holm]', "Could not find [Holm]. Similar: ['Ida Holm', 'Holm Abbey', 'Holm Street']"],
      ['Search[Ida Holm]', 'Ida Holm went to school in Lervik.'],
      ['Finish[Lervik]', ''],
    ],
  });

  expect(lesson).toMatchObject({
    kind: 'recovery',
    appliesWhen: '`search` answers “Could not find […]. Similar: […]”',
  });
  expect(lesson?.content).toContain('What worked: taking one of those that it lists, word for word.');
});

it('tells of another search how it was another, and not what was looked for', () => {
  const [, lesson] = lessonsOf({
    success: true,
    turns: [
      [
        'Search[school of the elder Ida Holm]',
        "Could not find [school of the elder Ida Holm]. Similar: ['Holm Abbey']",
      ],
      ['Search[Ida Holm]', 'Ida Holm went to school in Lervik.'],
      ['Finish[Lervik]', ''],
    ],
  });

  expect(lesson?.title).toMatch(/: search with fewer words$/);
});

it.each(['finish[42]', 'submit flag{s3a}', 'Final Answer: Lervik', 'stop [no such order]', 'submit({"answer": "7"})'])(
  'takes %j for an answer',
  (text) => {
    expect(handsInAnswer(text)).toBe(true);
  },
);

it.each([
  'submit',
  'finish[done]',
  'finish()',
  'stop []',
  'submit the form and wait',
  'exit 0',
  'done: completed',
  'ls',
])('takes %j for none', (text) => {
  expect(handsInAnswer(text)).toBe(false);
});
