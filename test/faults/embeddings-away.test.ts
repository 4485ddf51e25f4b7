import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ScriptedAnswer, type ScriptedEndpoint, sends, startScriptedEndpoint } from '@whetstone/platform/test-kit';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';

/** The same direction for the same text, another for another. */
const embeds: ScriptedAnswer = (response, request) => {
  const letters = [...(request.body.input as string)].map((letter) => letter.charCodeAt(0));
  const embedding = Array.from({ length: 8 }, (_, place) => letters.filter((code) => code % 8 === place).length);
  sends(200, { data: [{ embedding }], usage: { prompt_tokens: letters.length } })(response, request);
};

describe('a product whose endpoint for embeddings fails', () => {
  let folder: string;
  let endpoint: ScriptedEndpoint;
  let product: Product;
  let account: Account;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-embeddings-away-'));
    endpoint = await startScriptedEndpoint(sends(503, { error: { message: 'loading' } }));
    product = await startProduct({
      folder,
      env: {
        WHETSTONE_EMBEDDING_MODEL: 'scripted',
        WHETSTONE_EMBEDDING_DIMENSION: '8',
        WHETSTONE_EMBEDDING_BASE_URL: endpoint.url,
        WHETSTONE_LONGEST_WAIT_MS: '200',
      },
    });
    account = await createAccounts(product.target).open();
  });
  afterAll(async () => {
    await product?.stop();
    await endpoint?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('starts, accepts uploads and lets them wait, and says of tasks that they cannot be enhanced', async () => {
    const tenantId = unique('waiting');
    const { job_id: jobId } = await account.client.store(lessonUpload(tenantId, lessons.logs));
    const before = endpoint.requests.length;
    await eventually(() => (endpoint.requests.length > before + 3 ? true : undefined), { what: 'it is asked again' });

    expect(await account.client.job(jobId)).toMatchObject({ status: 'processing' });
    const body = { tenant_id: tenantId, input_text: lessons.logs.task };
    expect(await account.client.request('POST', '/enhance_task', { body })).toMatchObject({ status: 500 });
    expect(await (await fetch(`${product.target.opsUrl}/readyz`)).text()).toMatch(/"name":"embedder","ok":false/);

    endpoint.answer(embeds);
    expect(await account.client.jobEnded(jobId)).toMatchObject({ status: 'completed' });
    expect((await account.client.enhance(body)).response).toContain(lessons.logs.command);
  });
});
