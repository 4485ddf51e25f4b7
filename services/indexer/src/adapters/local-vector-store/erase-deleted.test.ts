import { readFile } from 'node:fs/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { createLogger } from '@whetstone/platform';
import { createRecordingLogger, eventually } from '@whetstone/platform/test-kit';

import { aCollection, aRow, aVector, byMeaning, conformanceModel } from '../../conformance/samples.js';
import { type TemporaryFolder, temporaryFolder } from '../../test-kit/temporary-folder.js';
import { startEraser } from './erase-deleted.js';
import { openLocalVectorStore } from './local-vector-store.js';
import { createWriteGate } from './write-gate.js';

const silent = createLogger({ service: 'test', level: 'silent', pretty: false });
const [gone, kept] = [aCollection('gone'), aCollection('kept')];

describe('deleted rows', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const open = (erases: boolean) =>
    openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger: silent, erases });

  /** Two collections take turns, so that SQLite splits pages and moves rows between them. */
  async function learn(store: Awaited<ReturnType<typeof open>>, jobs: number): Promise<string[]> {
    for (const collection of [gone, kept]) await store.createCollection(collection);
    const ids: string[] = [];
    for (let job = 0; job < jobs; job++) {
      const row = aRow(gone, { jobId: `job${job}`, text: `deleted-text ${'x'.repeat((job * 131) % 2_000)}` });
      await store.upsert(gone, [row]);
      await store.upsert(kept, [aRow(kept, { jobId: `job${job}`, text: `kept-text ${'y'.repeat((job * 71) % 900)}` })]);
      ids.push(row.id);
    }
    return ids;
  }

  async function contains(text: string): Promise<boolean> {
    const files = await Promise.all(
      ['knowledge.db', 'knowledge.db-wal'].map((name) => readFile(folder.path(name)).catch(() => Buffer.alloc(0))),
    );
    return Buffer.concat(files).includes(text);
  }

  /** The removals that the last VACUUM has seen. */
  function removalsSeen(): string | undefined {
    const database = new DatabaseSync(folder.path('knowledge.db'));
    const row = database.prepare("SELECT value FROM about WHERE name = 'vacuumed_removals'").get();
    database.close();
    return (row as { value: string } | undefined)?.value;
  }

  it('are soon in no file, while the server runs and writes', async () => {
    const store = await open(true);
    const ids = await learn(store, 300);
    expect(await contains('deleted-text')).toBe(true);

    for (let at = 0; at < ids.length; at += 7) await store.deleteRows(gone, ids.slice(at, at + 7));
    const busy = learn(store, 0).then(() => store.upsert(kept, [aRow(kept, { jobId: 'later' })]));

    await eventually(async () => !(await contains('deleted-text')), 'the text is gone');
    await busy;
    expect(await contains('kept-text')).toBe(true);
    expect(await byMeaning(store, kept, aVector(1), 400)).toHaveLength(301);
    await store.close();
  });

  it('are in no file after a stop that follows at once', async () => {
    const store = await open(true);
    await store.deleteRows(gone, await learn(store, 100));
    await store.close();

    expect(await contains('deleted-text')).toBe(false);
    expect(await contains('kept-text')).toBe(true);
  });

  it('are erased also beside hundreds of collections', async () => {
    const store = await open(true);
    for (let index = 0; index < 300; index++) await store.createCollection(aCollection(`other${index}`));
    await store.deleteRows(gone, await learn(store, 100));
    await store.close();

    expect([await contains('deleted-text'), removalsSeen()]).toEqual([false, '1']);
  });

  it('are erased by the next start if a process that did not do so left them', async () => {
    const path = folder.path('knowledge.db');
    const command = await open(false);
    const ids = await learn(command, 100);
    await command.close();
    // As an earlier version did it.
    const earlier = new DatabaseSync(path);
    earlier.exec('PRAGMA secure_delete = OFF; DELETE FROM contents WHERE seq < 2 * 4294967296');
    earlier.close();
    const again = await open(false);
    await again.deleteRows(gone, ids);
    await again.close();
    expect(await contains('deleted-text')).toBe(true);

    const server = await open(true);

    expect(await contains('deleted-text')).toBe(false);
    await server.close();
  });
});

describe('the eraser', () => {
  it('starts and goes on when the file cannot be compacted, and says so', async () => {
    const { logger, lines } = createRecordingLogger();
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: async () => true,
      vacuum: async () => {
        throw new Error('No room');
      },
      logger,
    });
    await eraser.stop();

    expect(lines().map(({ msg }) => msg)).toEqual([
      'Erasing deleted rows failed; retrying in a minute',
      'Erasing deleted rows failed; the next start tries again',
    ]);
  });

  it('waits for a minute if the log cannot be emptied', async () => {
    const { logger, lines } = createRecordingLogger();
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: () => Promise.reject(new Error('disk I/O error')),
      vacuum: async () => {},
      logger,
      pauseMs: 1,
    });
    eraser.deleted();
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(lines()).toHaveLength(1);
    await eraser.stop();
  });

  it('empties the log after each deletion also if the file cannot be compacted', async () => {
    let truncations = 0;
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: async () => ++truncations > 0,
      vacuum: () => Promise.reject(new Error('No room')),
      logger: silent,
      pauseMs: 1,
    });
    for (let deletion = 1; deletion <= 3; deletion++) {
      eraser.deleted();
      await eventually(() => truncations > deletion, 'the log is emptied');
    }
    await eraser.stop();
  });

  it('empties the log again after a VACUUM, which a reader may have kept there', async () => {
    const steps: string[] = [];
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: async () => steps.push('log') > 0,
      vacuum: async () => {
        steps.push('pages');
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      logger: silent,
      pauseMs: 1,
    });
    eraser.deleted();
    await eventually(() => steps.filter((step) => step === 'pages').length === 2, 'a second VACUUM');
    await eraser.stop();

    expect(steps.at(-1)).toBe('log');
  });

  it('never compacts the file twice at once, whatever is deleted meanwhile', async () => {
    let vacuums = 0;
    let [atOnce, most] = [0, 0];
    const vacuum = async (): Promise<void> => {
      vacuums++;
      most = Math.max(most, ++atOnce);
      if (vacuums === 2) eraser.deleted();
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
    };
    const options = { gate: createWriteGate(), truncateWal: async () => true, vacuum, logger: silent, pauseMs: 1 };
    const eraser = await startEraser(options);
    eraser.deleted();
    await eventually(() => vacuums === 3, 'another after each deletion');
    await eraser.stop();

    expect(most).toBe(1);
  });

  it('tries again until nobody is reading', async () => {
    let tries = 0;
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: async () => ++tries > 3,
      vacuum: async () => {},
      logger: silent,
      pauseMs: 1,
    });
    await eventually(() => tries === 4, 'four tries');
    await eraser.stop();

    expect(tries).toBe(4);
  });

  it('rests after a VACUUM many times longer than that took, however often something is deleted', async () => {
    let vacuums = 0;
    let truncations = 0;
    const eraser = await startEraser({
      gate: createWriteGate(),
      truncateWal: async () => ++truncations > 0,
      vacuum: async () => {
        vacuums++;
        await new Promise((resolve) => setTimeout(resolve, 500));
      },
      logger: silent,
      pauseMs: 1,
    });
    for (let deletion = 0; deletion < 20; deletion++) {
      eraser.deleted();
      await eventually(() => truncations > deletion + 1, 'the log is emptied after each');
    }
    expect(vacuums).toBe(1);
    await eraser.stop();

    expect(vacuums).toBe(2);
  });
});

describe('the gate for writes', () => {
  it('closes once the writes under way have ended, and holds back later ones', async () => {
    const gate = createWriteGate();
    const order: string[] = [];
    let finish = () => {};
    const first = gate.write(() => new Promise<void>((resolve) => (finish = resolve)));
    const alone = gate.alone(async () => void order.push('alone'));
    const later = gate.write(async () => void order.push('later'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    finish();
    await Promise.all([first, alone, later]);

    expect(order).toEqual(['alone', 'later']);
  });

  it('opens again after a failure', async () => {
    const gate = createWriteGate();
    await expect(gate.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');

    await expect(gate.write(async () => 'written')).resolves.toBe('written');
  });
});
