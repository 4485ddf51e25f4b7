import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { keyCounts, unique } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { whetstoneCommand } from '../support/whetstone-command.js';

describe('the trust of a key', () => {
  let folder: string;
  let product: Product;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-trust-'));
    product = await startProduct({ folder });
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('goes with everything that is learnt from its uploads, small and large, and none goes with normal trust', async () => {
    const whetstone = whetstoneCommand({ WHETSTONE_DATA: product.dataFolder });
    const audit = ['--approved-by', 'test', '--reason', 'test'];
    for (const trust of ['low', 'normal', 'high']) {
      const { key } = await whetstone.ask<{ key: string }>(
        ...['keys', 'issue', '--account', trust, '--trust', trust],
        ...audit,
      );
      await keyCounts(product.target.baseUrl, key, true);
      const client = createClient(product.target.baseUrl, key);
      const small = lessonUpload(unique('small'), lessons.logs);
      const long = { turn: 9, inputs: 'so far', decision: 'cat notes', result: 'all is well '.repeat(20_000) };
      await client.learn(small);
      await client.learn({ ...small, tenant_id: unique('large'), turns: [...small.turns, long] });

      const { stdout } = await whetstone.run('knowledge', 'export', '--account', trust);
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.filter(({ type }) => type === 'run')).toHaveLength(2);
      expect(rows.length).toBeGreaterThanOrEqual(4);
      const told = new Set(rows.map(({ body }) => body.origin.trust));
      expect(told).toEqual(new Set([trust === 'normal' ? undefined : trust]));
    }
  });
});
