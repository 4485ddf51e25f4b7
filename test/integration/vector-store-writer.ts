import { openLocalVectorStore, type Row } from '@whetstone/indexer';
import { aRow, aVector, conformanceModel } from '@whetstone/indexer/conformance';
import { createLogger } from '@whetstone/platform';

/**
 * Writes and deletes until it is killed, eight jobs at a time, and prints each acknowledged write and deletion.
 * Arguments: the store's file, the collection, a name for this round's jobs.
 */
const [path = '', collection = '', round = ''] = process.argv.slice(2);
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const store = await openLocalVectorStore({ path, model: conformanceModel, logger });
await store.createCollection(collection);

async function write(writer: number): Promise<void> {
  for (let n = 0; ; n++) {
    const jobId = `${round}-${writer}-${n}`;
    const rows = [0, 1, 2].map(
      (ordinal): Row =>
        aRow(collection, { jobId, ordinal, type: ordinal === 0 ? 'run' : 'insight', vector: aVector(1) }),
    );
    await store.upsert(collection, rows);
    process.stdout.write(`written ${jobId}\n`);
    if (n % 3 > 0) continue;
    process.stdout.write(`deleting ${jobId}\n`);
    await store.deleteRows(
      collection,
      rows.map(({ id }) => id),
    );
    process.stdout.write(`deleted ${jobId}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
