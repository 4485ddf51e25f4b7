import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { topics } from '@whetstone/contracts';
import { openLocalEventLog } from '@whetstone/event-log';
import { type DataFolder, dataFolder } from '@whetstone/platform';
import { createRecordingLogger } from '@whetstone/platform/test-kit';

import { checkDataFiles } from './check-data-files.js';

const { logger, lines } = createRecordingLogger();

describe('the data files at a start', () => {
  let folder: DataFolder;

  beforeEach(async () => {
    folder = dataFolder(await mkdtemp(join(tmpdir(), 'whetstone-check-')));
    const log = await openLocalEventLog({ path: folder.log, topics: Object.values(topics) });
    await log.append(topics.uploads.name, { key: 'k', value: Buffer.alloc(50_000) });
    await log.close();
  });
  afterEach(() => rm(folder.path, { recursive: true }));

  it('are fine as the last stop left them, or not there yet', async () => {
    await checkDataFiles(folder, logger);

    expect(lines().at(-1)).toMatchObject({ msg: 'Data files checked', duration_ms: expect.any(Number) });
  });

  it.each([
    ['log', 'API keys, the job records and the uploads'],
    ['knowledge', 'everything that was learnt'],
  ] as const)('are refused if the %s is damaged, with the loss and every way out', async (name, loss) => {
    const bytes = await readFile(folder.log);
    bytes.fill(0xa5, 4 * 4096, 8 * 4096);
    await writeFile(folder[name], bytes);

    await expect(checkDataFiles(folder, logger)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(
        new RegExp(
          `${folder[name]} is damaged \\(.+\\)\\. .*${loss}(.|\\n)*restore --from(.|\\n)*salvage(.|\\n)*move `,
        ),
      ),
    });
  });

  it('of an earlier version are compacted once, so that the log can shrink from then on', async () => {
    const earlier = new DatabaseSync(folder.log);
    earlier.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    earlier.close();
    expect(vacuumMode(folder.log)).toBe(0);

    await checkDataFiles(folder, logger);

    expect(vacuumMode(folder.log)).toBe(2);
  });
});

function vacuumMode(path: string): number {
  const database = new DatabaseSync(path);
  const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  database.close();
  return mode;
}
