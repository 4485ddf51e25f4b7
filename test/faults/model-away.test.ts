import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hangs, type ScriptedEndpoint, says, sends, startScriptedEndpoint } from '@whetstone/platform/test-kit';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const insight = {
  kind: 'strategy',
  title: 'Let find delete',
  applies_when: 'files are to be deleted by name and size',
  not_when: null,
  content: 'One call of find selects and deletes.',
  steps: [],
  example: lessons.logs.command,
  polarity: 'success',
  evidence: [1],
  confidence: 'high',
};
const learns = says(JSON.stringify({ insights: [insight] }));

/** The whole product with a model that fails as models do. */
describe('a product whose model fails', () => {
  let folder: string;
  let model: ScriptedEndpoint;
  let product: Product;
  let account: Account;
  const start = async () =>
    startProduct({
      folder,
      env: {
        WHETSTONE_MODEL_NAME: 'scripted',
        WHETSTONE_MODEL_BASE_URL: model.url,
        WHETSTONE_MODEL_TIMEOUT_MS: '2000',
        WHETSTONE_LONGEST_WAIT_MS: '200',
      },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-model-away-'));
    model = await startScriptedEndpoint(learns);
    product = await start();
    account = await createAccounts(product.target).open();
  });
  afterAll(async () => {
    await product?.stop();
    await model?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const asked = async (times: number) => {
    const before = model.requests.length;
    await eventually(() => (model.requests.length >= before + times ? true : undefined), {
      what: 'the model is asked',
    });
  };

  it('keeps jobs open while the model is away, answers tasks meanwhile, and loses nothing to kill −9', async () => {
    const tenantId = unique('away');
    model.answer(sends(503, { error: { message: 'loading' } }), sends(429, {}, { 'retry-after': '1' }), hangs());
    const waiting = await account.client.store(lessonUpload(tenantId, lessons.logs));
    await asked(3);

    expect(await account.client.job(waiting.job_id)).toMatchObject({ status: 'processing' });
    const { response } = await account.client.enhance({ tenant_id: tenantId, input_text: lessons.logs.asked });
    expect(response).toBe(lessons.logs.asked);
    await product.kill();
    product = await start();
    account = { ...account, ...(await createAccounts(product.target).open(account.account)) };
    await asked(1);
    expect(await account.client.job(waiting.job_id)).toMatchObject({ status: 'processing' });
    model.answer(learns);

    expect(await account.client.jobEnded(waiting.job_id)).toMatchObject({ status: 'completed', insights_stored: 1 });
    const { response: better } = await account.client.enhance({ tenant_id: tenantId, input_text: lessons.logs.asked });
    expect(better).toContain(lessons.logs.command);
  });

  it.each([
    ['prose', says('Well done, agent!'), /not a JSON object/],
    ['half a JSON document', says('{"insights": [{"ki', { finishReason: 'length' }), /cut off/],
    ['nothing', says(''), /empty/],
    ['other keys', says('{"lessons": []}'), /unknown field "lessons"/],
    ['a refusal', says(null, { refusal: 'No.' }), /refused/],
  ])('ends a job as failed, with a reason for operators alone, where the model gives %s', async (_, answer, reason) => {
    model.answer(answer);

    const job = await account.client.learn(lessonUpload(unique('unusable'), lessons.archive));

    expect(job).toMatchObject({ status: 'failed' });
    const { error_message: sealed } = job as { error_message: string };
    expect(sealed).not.toMatch(reason);
    expect(await createAccounts(product.target).operator.openError(sealed)).toMatch(reason);
  });

  it('waits while the key is refused, and says loudly what somebody has to mend', async () => {
    model.answer(sends(401, { error: { message: 'Incorrect API key provided' } }));
    const { job_id: jobId } = await account.client.store(lessonUpload(unique('refused'), lessons.ports));
    await asked(3);
    await sleep(200);

    expect(await account.client.job(jobId)).toMatchObject({ status: 'processing' });
    const complaints = product
      .printed()
      .split('\n')
      .filter((line) => line.includes('The model cannot be used'));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('WHETSTONE_MODEL_*');
    const ready = await fetch(`${product.target.opsUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.text()).toMatch(/"name":"model","ok":false/);
    model.answer(says('{"insights": []}'));

    expect(await account.client.jobEnded(jobId)).toMatchObject({ status: 'completed', insights_stored: 1 });
  });
});
