import { withWholeCharacters } from './whole-characters.js';

it('leaves halves of characters out wherever they stand, and everything else as it is', () => {
  const cut = '🌱 sow 🌱'.slice(0, -1);

  expect(withWholeCharacters({ title: cut, steps: [`${cut}…`], evidence: [1], run: { judged: true } })).toEqual({
    title: '🌱 sow ',
    steps: ['🌱 sow …'],
    evidence: [1],
    run: { judged: true },
  });
});
