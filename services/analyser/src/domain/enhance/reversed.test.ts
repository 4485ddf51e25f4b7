import type { Insight } from '@whetstone/contracts';

import { isReversed } from './reversed.js';

function aLesson(example: string): Insight {
  return {
    kind: 'strategy',
    title: '',
    content: '',
    steps: [],
    example,
    polarity: 'success',
    evidence: [],
    confidence: 0.7,
  };
}

it.each([
  ['find /srv -type f ! -name "*.bak" -delete', 'Delete all *.bak files in /srv but not in its subfolders'],
  ["find . -not -name '*.bak' -exec rm {} +", 'Remove the *.bak files'],
  ['grep -v warning app.log', 'Print the lines with a warning'],
  ['grep -iv "warning" app.log', 'Print the lines with a warning'],
  ['tar -czf all.tgz --exclude=cache .', 'Pack the cache of the site'],
  ["SELECT id FROM orders WHERE state <> 'open'", 'Which orders are open?'],
  ["SELECT id FROM orders WHERE state NOT IN ('open')", 'Which orders are open?'],
])('sees that %j leaves out what is asked for by %j', (example, task) => {
  expect(isReversed(aLesson(example), task)).toBe(true);
});

it.each([
  ['find /srv -type f ! -name "*.bak" -delete', 'Delete everything in /srv except the *.bak files'],
  ['find /srv -type f ! -name "*.bak" -delete', 'Delete all files in /srv that are not *.bak'],
  ['find /srv -name "*.bak" -delete', 'Delete all *.bak files in /srv'],
  ['find /srv -name "*.bak" ! -name "keep*"', 'List all *.bak files in /srv'],
  ["SELECT id FROM orders WHERE state <> 'open'", 'Which orders are closed?'],
  ['grep -v warning app.log', 'Print the lines without a warning'],
  ['if [ $a != "*" ]; then ls; fi', 'List * and others'],
])('lets %j pass for %j', (example, task) => {
  expect(isReversed(aLesson(example), task)).toBe(false);
});
