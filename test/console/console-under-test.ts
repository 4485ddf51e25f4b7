import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { createAccounts } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { patientSettings, startProduct } from '../support/product.js';
import { launchBrowser } from './browser.js';

export interface ConsoleUnderTest {
  url: string;
  /** Of a fresh account, that may do everything. */
  key: string;
  keyId: string;
  /** Another key of the account. */
  issueKey(flags: string): Promise<{ key: string; keyId: string }>;
  /** As agents call it. */
  call(method: string, path: string, body?: object): Promise<{ status: number; body: never }>;
  upload(run: object): Promise<string>;
  /** A page of a browser that nobody has used. */
  page(options?: BrowserContextOptions): Promise<Page>;
  signedIn(options?: BrowserContextOptions): Promise<Page>;
}

const allScopes = '--scope ask --scope record --scope curate --scope admin';

/** Starts a product and a browser for a test file. */
export function consoleUnderTest(): ConsoleUnderTest {
  const started = {} as ConsoleUnderTest;
  let browser: Browser | undefined;
  let stop: (() => Promise<unknown>) | undefined;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-console-'));
    const product = await startProduct({ folder, env: patientSettings });
    stop = async () => {
      await browser?.close();
      await product.stop();
      await rm(folder, { recursive: true });
    };
    browser = await launchBrowser();
    const accounts = createAccounts(product.target);
    const issueKey = async (flags: string) => accounts.open('acme', ` ${flags}`);
    const { key, keyId } = await issueKey(allScopes);
    const url = product.target.baseUrl;
    Object.assign(started, { url, key, keyId, issueKey });
  });

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(() => stop?.());

  return Object.assign(started, {
    async call(method: string, path: string, body?: object) {
      const answer = await fetch(started.url + path, {
        method,
        headers: { 'x-api-key': started.key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as never };
    },
    async upload(run: object) {
      const { body } = await started.call('POST', '/store_knowledge', run);
      const { job_id: job } = body as { job_id: string };
      await eventually(
        async () => {
          const { body: record } = await started.call('GET', `/knowledge_status/${job}?wait=5`);
          return (record as { status: string }).status === 'processing' ? undefined : true;
        },
        { what: 'the upload is processed' },
      );
      return job;
    },
    async page(options: BrowserContextOptions = {}) {
      const context = await (browser as Browser).newContext({ locale: 'en-GB', ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      return page;
    },
    async signedIn(options?: BrowserContextOptions) {
      const page = await started.page(options);
      const answer = await page.request.post(`${started.url}/console/session`, {
        headers: { 'x-api-key': started.key },
      });
      expect(answer.status()).toBe(200);
      return page;
    },
  });
}
