import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { EnhancedResponse } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';
import { whetstoneCommand } from '../support/whetstone-command.js';

const asked = `  ${lessons.logs.asked}\r\n`;

interface Uplift {
  verdict: string;
  uplift: { difference: number; low: number; high: number } | null;
  arms: Record<'recommended' | 'holdout' | 'nothing_to_say', { told: number; succeeded: number }>;
  answers_cited: number;
}

/** Half of the answers are held out, so that a few answers include both kinds. */
describe('a product that holds answers out', () => {
  let folder: string;
  let product: Product;
  let account: Account;
  const tenantId = unique('measured');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-uplift-'));
    product = await startProduct({ folder, env: { WHETSTONE_HOLDOUT_SHARE: '0.5' } });
    account = await createAccounts(product.target).open('acme');
    await account.client.learn(lessonUpload(tenantId, lessons.logs));
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (input = asked) => account.client.enhance({ tenant_id: tenantId, input_text: input });
  const tell = (answer: EnhancedResponse, success: boolean) =>
    account.client.learn({
      tenant_id: tenantId,
      query: `Tell the outcome of ${unique('run')}`,
      turns: [],
      success,
      metadata: { enhancement_id: answer.metadata.enhancement_id },
    });

  it('hands some inputs back unchanged and says so, and measures what the others got', async () => {
    const answers: EnhancedResponse[] = [];
    while (answers.length < 40 || new Set(answers.map(({ metadata }) => metadata.holdout)).size < 2) {
      answers.push(await ask());
    }
    const heldOut = answers.filter(({ metadata }) => metadata.holdout === true);
    const recommended = answers.filter(({ metadata }) => metadata.holdout === undefined);
    for (const { response, metadata } of heldOut) {
      expect(response).toBe(asked);
      expect(metadata).toMatchObject({ recommendations: [], confidence_score: 0 });
      expect(metadata.enhancement_id).toMatch(/^enh_/);
    }
    for (const { response } of recommended) expect(response).toContain(lessons.logs.command);
    expect(heldOut.length + recommended.length).toBe(answers.length);
    const unrelated = await ask('Write a sonnet about the moons of Jupiter');
    expect(unrelated.metadata).not.toHaveProperty('holdout');

    // Every run that was held out fails and every other one succeeds; one answer is cited three times.
    await inParallel(heldOut, 8, (answer) => tell(answer, false));
    await inParallel(recommended, 8, (answer) => tell(answer, true));
    for (const success of [false, false]) await tell(recommended[0] as EnhancedResponse, success);
    await tell(unrelated, true);

    const whetstone = whetstoneCommand({ WHETSTONE_DATA: product.dataFolder });
    expect(await whetstone.ask<Uplift>('uplift', '--account', 'acme')).toMatchObject({
      uplift: { difference: 1, low: expect.any(Number), high: 1 },
      arms: {
        recommended: { told: recommended.length, succeeded: recommended.length },
        holdout: { told: heldOut.length, succeeded: 0 },
        nothing_to_say: { told: 1, succeeded: 1 },
      },
      answers_cited: answers.length + 1,
    });
    expect(await whetstone.ask('uplift', '--account', 'another')).toMatchObject({ verdict: 'no_comparison' });

    const metrics = await (await fetch(`${product.target.opsUrl}/metrics`)).text();
    expect(metrics).toContain(`whetstone_outcomes_total{arm="holdout",success="false"} ${heldOut.length}`);
    expect(metrics).toContain('whetstone_outcomes_total{arm="recommended",success="false"} 2');
    expect(metrics).toMatch(/^whetstone_uplift_ratio 1$/m);
    expect(metrics).toMatch(/^whetstone_uplift_ratio_low 0\.\d+$/m);
    expect(metrics).toContain(`whetstone_enhance_held_out_total ${heldOut.length}`);

    // Failures of held-out runs do not count against the lesson.
    const later = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(later.some(({ response }) => response.includes(lessons.logs.command))).toBe(true);
  });
});
