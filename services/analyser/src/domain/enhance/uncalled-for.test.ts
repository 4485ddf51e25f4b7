import type { Insight } from '@whetstone/contracts';

import { isUncalledFor } from './uncalled-for.js';

function aLesson(example: string, kind: Insight['kind'] = 'strategy'): Insight {
  return { kind, title: '', content: '', steps: [], example, polarity: 'success', evidence: [], confidence: 0.7 };
}

it.each([
  'find /srv -mtime +31 -delete',
  'find /srv -mtime +31 -exec rm -f {} +',
  'ls | xargs -0 rm',
  'cd /tmp && rm -rf cache',
  'ls | while read f; do rm "$f"; done',
  'DELETE FROM visits WHERE day < 7',
  'git reset --hard origin/main',
])('does not hand a command that destroys to a task that looks: %s', (example) => {
  expect(isUncalledFor(aLesson(example), 'Find the files that changed last week')).toBe(true);
  expect(isUncalledFor(aLesson(example), 'Clean up what is older than a month')).toBe(false);
});

it.each(['find /srv -name "rm*" -print', 'grep -r "drop" docs', 'docker ps', 'SELECT deleted FROM visits'])(
  'lets a command pass that only looks as if it did: %s',
  (example) => {
    expect(isUncalledFor(aLesson(example), 'Find the files that changed last week')).toBe(false);
  },
);

it('lets a warning show what to avoid', () => {
  expect(isUncalledFor(aLesson('rm -rf /srv/*', 'pitfall'), 'List the files')).toBe(false);
});
