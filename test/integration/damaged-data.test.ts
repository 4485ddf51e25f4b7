import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAccounts, keyCounts } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { inheritedEnvironment, launchProduct, patientSettings, startProduct } from '../support/product.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';
import { whetstoneCommand } from '../support/whetstone-command.js';

describe('a server on damaged files', () => {
  let folder: string;
  let data: string;
  let key: string;
  const start = () => startProduct({ folder, env: patientSettings });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-damaged-'));
    data = join(folder, 'data');
    const product = await start();
    const account = await createAccounts(product.target).open();
    key = account.key;
    // Long enough that the page with an upload holds little else.
    const result = randomBytes(1500).toString('hex');
    for (const { task, command } of Object.values(lessons)) {
      await account.client.learn(shellSuccess('tenant', task, command, result));
    }
    await product.stop();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    // Of an upload only its envelope is readable.
    ['log.db', 4096, 'bodyDigest'],
    ['knowledge.db', 8192, lessons.sql.command],
  ])('refuses to start on a damaged %s, and starts on what a salvage left of it', async (name, pageBytes, text) => {
    await damagePageWith(text, join(data, name), pageBytes);

    const refused = await launchProduct({ folder });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.printed()).toContain(`${name} is damaged`);
    expect(refused.printed()).toContain('whetstone restore --from');

    const environment = inheritedEnvironment() as Record<string, string>;
    await whetstoneCommand({ ...environment, WHETSTONE_DATA: data }).ask('salvage');
    const product = await start();
    await keyCounts(product.target.baseUrl, key, true);
    const client = createClient(product.target.baseUrl, key);
    await client.learn(lessonUpload('tenant', lessons.ports));
    const { response } = await client.enhance({ tenant_id: 'tenant', input_text: lessons.ports.task });
    expect(response).toContain(lessons.ports.command);
    await product.stop();
  });

  it('rebuilds a damaged status.db from the log', async () => {
    await writeFile(join(data, 'status.db'), 'no database '.repeat(1000));
    const product = await start();
    await keyCounts(product.target.baseUrl, key, true);
    await product.stop();
  });
});

/** A page of rows, as opposed to one that only continues a long row. */
const leafPage = 0x0d;

async function damagePageWith(text: string, path: string, pageBytes: number): Promise<void> {
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes);
    if (page[0] === leafPage && page.includes(text)) {
      page.fill(0xa5);
      await writeFile(path, bytes);
      return;
    }
  }
  throw new Error(`${path} has no page with ${text}`);
}
