import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ScriptedEndpoint, says, startScriptedEndpoint } from '@whetstone/platform/test-kit';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload, shellFailure } from '../support/uploads.js';

const insight = {
  kind: 'recovery',
  title: 'A lesson',
  applies_when: null,
  not_when: null,
  content: 'One call selects and deletes.',
  steps: [],
  example: null,
  polarity: 'success',
  evidence: [1],
  confidence: 'high',
};
const { task, command } = lessons.logs;
const failedTurn = { turn: 1, inputs: task, decision: 'rm /var/*.log', result: 'rm: cannot remove: No such file' };

describe('a product whose model compares runs', () => {
  let folder: string;
  let model: ScriptedEndpoint;
  let product: Product;
  let account: Account;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-compared-'));
    model = await startScriptedEndpoint(says(JSON.stringify({ insights: [insight] })));
    const env = { WHETSTONE_MODEL_NAME: 'scripted', WHETSTONE_MODEL_BASE_URL: model.url };
    product = await startProduct({ folder, env });
    account = await createAccounts(product.target).open();
  });
  afterAll(async () => {
    await product?.stop();
    await model?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the model got to read about the failed run that is uploaded now. */
  async function readOfFailure(tenantId: string, { client }: Account): Promise<string> {
    const before = model.requests.length;
    await client.learn(shellFailure(tenantId, task, [failedTurn]));
    return String(model.requests[before]?.body.messages[1].content);
  }

  it('shows it what a run at the same task did that succeeded, and one of another collection or account never', async () => {
    const [tenantId, other] = [unique('compared'), unique('other')];
    const stranger = await createAccounts(product.target).open();
    await account.client.learn(lessonUpload(tenantId, lessons.logs));

    expect(await readOfFailure(tenantId, account)).toContain(`RUN 1, ended in success\nDID: ${command}`);
    for (const read of [await readOfFailure(other, account), await readOfFailure(tenantId, stranger)]) {
      expect(read).toContain(failedTurn.decision);
      expect(read).not.toContain(command);
    }
  });
});
