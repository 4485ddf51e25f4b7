import { openLocalEventLog } from '@whetstone/event-log';

import { appendedTopic, keysPerWriter } from './event-log-kill-plan.js';

/**
 * Appends until it is killed, many at a time, and prints each acknowledged append.
 * Arguments: the log's file, this writer's name, the first number.
 */
const [path = '', writer = '', begin = '0'] = process.argv.slice(2);
const log = await openLocalEventLog({ path, topics: [appendedTopic], maintenanceMs: 5 });

for (let round = Number(begin); ; round++) {
  const appends = Array.from({ length: keysPerWriter * 4 }, async (_, index) => {
    const key = `${writer}-${index % keysPerWriter}`;
    const number = round * 4 + Math.floor(index / keysPerWriter);
    await log.append(appendedTopic.name, { key, value: Buffer.from(`${number} ${'padding '.repeat(index * 5)}`) });
    process.stdout.write(`${key} ${number}\n`);
  });
  await Promise.all(appends);
}
