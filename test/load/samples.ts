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

/** A random task of about twenty words, almost certainly unique. */
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

/** An upload of five turns and about 4 KB; each number gives a different one of the same size. */
export function sampleUpload(number: number, tenant = 'bench'): string {
  const task = `Rotate the access logs of web server ${String(number).padStart(9, '0')} and keep four weeks of them`;
  return JSON.stringify(sampleInteraction(task, tenant));
}

export function sampleInteraction(task: string, tenant: string) {
  return {
    tenant_id: tenant,
    query: task,
    agent_type: 'shell',
    success: true,
    turns: [
      turn(1, task, 'ls -la /var/log/nginx', listing),
      turn(2, listing, 'cat /etc/logrotate.d/nginx', 'cat: /etc/logrotate.d/nginx: No such file or directory'),
      turn(3, 'cat: no such file', 'tee /etc/logrotate.d/nginx < rotate.conf', 'weekly\nrotate 4\ncompress\nmissingok'),
      turn(4, 'weekly', 'logrotate --debug /etc/logrotate.d/nginx', `considering log access.log\n${listing}`),
      turn(5, listing, 'logrotate --force /etc/logrotate.d/nginx', 'rotated 1 log'),
    ],
  };
}

const listing = Array.from(
  { length: 9 },
  (_, day) => `-rw-r----- 1 www-data adm ${412_337 + day * 7919} Mar ${day + 1} 00:0${day} access.log.${day}`,
).join('\n');

function turn(number: number, inputs: string, decision: string, result: string) {
  return { turn: number, inputs, decision, result };
}

/** The default body limit of the gateway. */
const limitBytes = 4 * 1024 * 1024;
const linesPerResult = 60;

/** A shell run that goes through folder after folder, as long as one upload may be. */
export function largeUpload(tenant = 'bench'): string {
  const task = `Check the logs of server ${randomInt(1_000_000_000)} for failed rotations`;
  const upload = { ...sampleInteraction(task, tenant), turns: [] as object[] };
  let room = limitBytes - Buffer.byteLength(JSON.stringify(upload)) - 1;
  for (let number = 1; ; number++) {
    const result = longListing(number);
    const decision = `ls -la /var/log/shard-${number} && grep -c rotated /var/log/shard-${number}/status`;
    const turn = { turn: number, inputs: result.slice(0, 200), decision, result };
    room -= Buffer.byteLength(JSON.stringify(turn)) + 1;
    if (room < 0) return JSON.stringify(upload);
    upload.turns.push(turn);
  }
}

function longListing(seed: number): string {
  return Array.from(
    { length: linesPerResult },
    (_, line) => `-rw-r----- 1 www-data adm ${seed * 7919 + line * 31} Mar ${(line % 28) + 1} 00:00 access.log.${line}`,
  ).join('\n');
}
