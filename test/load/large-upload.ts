import { randomInt } from 'node:crypto';

import { sampleInteraction } from './sample-upload.js';

/** What a gateway accepts unless told otherwise. */
const limitBytes = 4 * 1024 * 1024;
const linesPerResult = 60;

/** A run of a shell agent that goes through one folder after the other, as long as one upload may be. */
export function largeUpload(tenant = 'bench'): string {
  const task = `Check the logs of server ${randomInt(1_000_000_000)} for failed rotations`;
  const upload = { ...sampleInteraction(task, tenant), turns: [] as object[] };
  let room = limitBytes - Buffer.byteLength(JSON.stringify(upload)) - 1;
  for (let number = 1; ; number++) {
    const result = listing(number);
    const decision = `ls -la /var/log/shard-${number} && grep -c rotated /var/log/shard-${number}/status`;
    const turn = { turn: number, inputs: result.slice(0, 200), decision, result };
    room -= Buffer.byteLength(JSON.stringify(turn)) + 1;
    if (room < 0) return JSON.stringify(upload);
    upload.turns.push(turn);
  }
}

function listing(seed: number): string {
  return Array.from(
    { length: linesPerResult },
    (_, line) => `-rw-r----- 1 www-data adm ${seed * 7919 + line * 31} Mar ${(line % 28) + 1} 00:00 access.log.${line}`,
  ).join('\n');
}
