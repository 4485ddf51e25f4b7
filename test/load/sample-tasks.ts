import { randomInt } from 'node:crypto';

const verbs = ['Find', 'List', 'Archive', 'Rename', 'Compress', 'Export', 'Compare', 'Delete', 'Count', 'Validate'];
const things = [
  'invoices',
  'log files',
  'customer records',
  'build artefacts',
  'open tickets',
  'test reports',
  'images',
];
const places = ['in the staging bucket', 'below the project folder', 'of the billing service', 'in the mail archive'];
const limits = ['older than', 'larger than', 'changed within', 'not touched for', 'created before'];

/** A task of about twenty words that has almost certainly never been asked before. */
export function sampleTask(): string {
  return (
    `${one(verbs)} all ${one(things)} ${one(places)} that are ${one(limits)} ${randomInt(1_000_000)} units, ` +
    `then ${one(verbs).toLowerCase()} the ${one(things)} and report how many there were`
  );
}

export function sampleTasks(count: number): string[] {
  return Array.from({ length: count }, sampleTask);
}

function one(words: string[]): string {
  return words[randomInt(words.length)] ?? '';
}
