import { randomNumbers } from '@whetstone/platform/test-kit';

const nouns = 'harbour river mountain village council engine garden teacher market library bridge painter'.split(' ');
const verbs = 'watched described remembered crossed repaired carried followed measured visited admired'.split(' ');
const qualities = 'old quiet narrow bright distant wooden patient careful grey northern'.split(' ');
const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];

/** Text of roughly this many words that contains no request. */
type Filler = (words: number) => string;

export function fillers(seed: number): Record<string, Filler> {
  const random = randomNumbers(seed);
  const pick = (list: string[]) => list[Math.floor(random() * list.length)] as string;
  const number = (below: number) => Math.floor(random() * below);
  const repeat = <Part>(words: number, wordsEach: number, part: (index: number) => Part) =>
    Array.from({ length: Math.ceil(words / wordsEach) }, (_, index) => part(index));
  const sentence = () =>
    `The ${pick(qualities)} ${pick(nouns)} ${pick(verbs)} a ${pick(qualities)} ${pick(nouns)} near the ${pick(nouns)}, ` +
    `and nobody ${pick(verbs)} it again.`;

  return {
    prose: (words) => repeat(words, 64, () => [sentence(), sentence(), sentence(), sentence()].join(' ')).join('\n\n'),
    logs: (words) =>
      repeat(
        words,
        8,
        () =>
          `2026-03-05T12:${10 + number(49)}:07Z ${pick(levels)} [worker-${number(9)}] timeout on 10.0.0.${number(255)} after ${number(999)} ms`,
      ).join('\n'),
    json: (words) =>
      JSON.stringify(
        repeat(words, 6, (id) => ({ id, name: pick(nouns), tags: [pick(qualities)] })),
        null,
        2,
      ),
    code: (words) =>
      `\`\`\`js\n${repeat(words, 9, () => `const ${pick(nouns)} = await ${pick(nouns)}.load({ ${pick(qualities)}: ${number(99)} });`).join('\n')}\n\`\`\``,
    table: (words) =>
      repeat(words, 6, (row) => `| ${row} | ${pick(nouns)} | ${pick(qualities)} | ${number(9999)} |`).join('\n'),
    boilerplate: (words) =>
      repeat(
        words,
        16,
        () => 'Our company was founded by two brothers who believed that furniture should last for generations.',
      ).join(' '),
    manual: (words) =>
      repeat(words, 9, () => `Open the ${pick(qualities)} ${pick(nouns)} and clean the ${pick(nouns)} carefully.`).join(
        ' ',
      ),
    encoded: (words) => Buffer.from(repeat(words, 1, () => pick(nouns)).join(' ')).toString('base64'),
  };
}

export const requests = [
  'Find all log files larger than ten megabytes under /srv and delete them.',
  'Please cancel my hotel booking in Lisbon and refund the deposit to the card that I paid with.',
  'Which three customers spent the most money in the last quarter?',
  'Your task: sign in to the shop as an administrator and disable the spring coupon.',
  'I want to change the delivery address of my order to our new office in Lyon.',
  'The nightly backup of the database fails with "no space left on device"; work out why and make it run again.',
];
