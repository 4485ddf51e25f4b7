import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

import { consoleUnderTest } from './console-under-test.js';

const console_ = consoleUnderTest();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Would set `hacked` if any of it were markup. */
const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>bold</b>\'"`';
const collection = `col ${attack}`;
const task = `How many orders did each customer place? ${attack}`;

const screens = [
  '/',
  '/ask',
  `/ask?task=${encodeURIComponent(task)}`,
  '/lessons',
  '/lessons/new',
  '/runs',
  '/forget',
  `/forget?intent=${encodeURIComponent(task)}`,
  '/keys',
  '/keys/audit',
  '/keys/usage',
  '/nowhere',
];

/** Of every lesson and every run. */
async function detailPaths(): Promise<string[]> {
  const query = `?tenant_id=${encodeURIComponent(collection)}`;
  const { lessons } = (await console_.call('GET', `/lessons${query}`)).body as { lessons: { id: string }[] };
  const { runs } = (await console_.call('GET', `/runs${query}`)).body as { runs: { job_id: string }[] };
  return [...lessons.map(({ id }) => `/lessons/${id}`), ...runs.map(({ job_id }) => `/runs/${job_id}`)];
}

async function show(page: Page, path: string): Promise<void> {
  const query = `${path.includes('?') ? '&' : '?'}c=${encodeURIComponent(collection)}`;
  await page.goto(`${console_.url}/console${path}${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const loading of await page.locator('.loading, .stale').all()) await loading.waitFor({ state: 'detached' });
}

beforeAll(async () => {
  for (const success of [true, false]) {
    await console_.upload({
      tenant_id: collection,
      query: task,
      agent_type: `sql ${attack}`,
      success,
      metadata: { note: attack },
      turns: [
        { turn: 1, inputs: attack, decision: `SELECT 1 ${attack}`, memory: attack, result: `ERROR: ${attack}` },
        {
          turn: 2,
          inputs: attack,
          decision: `SELECT ${success} FROM orders ${attack}`,
          memory: attack,
          result: attack,
        },
      ],
    });
  }
  const written = { applies_when: task, text: attack, title: attack, example: attack, agent_type: attack };
  const { body } = await console_.call('POST', '/lessons', { tenant_id: collection, ...written });
  const path = `/lessons/${(body as { id: string }).id}?tenant_id=${encodeURIComponent(collection)}`;
  await console_.call('PATCH', path, { state: 'pinned', note: attack });
  await console_.call('POST', '/keys', { scopes: ['ask'], reason: attack });
});

it('whatever an upload, a lesson or a key contains is shown as characters', async () => {
  const page = await console_.signedIn();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  const seen = new Map<string, boolean>();
  for (const path of [...screens, ...(await detailPaths())]) {
    await show(page, path);
    if (path === '/keys') await page.getByText('Issue a key').click();
    expect([path, await page.evaluate('window.hacked')]).toEqual([path, undefined]);
    expect([path, await page.locator('#console :is(img, script, b)').count()]).toEqual([path, 0]);
    seen.set(path, ((await page.locator('main').textContent()) ?? '').includes('<img src=x onerror='));
  }
  for (const path of ['/lessons', '/runs', '/keys', ...(await detailPaths())])
    expect([path, seen.get(path)]).toEqual([path, true]);
  expect(problems).toEqual([]);
});

it.each(['light', 'dark'] as const)('axe finds nothing on any screen, %s', async (colorScheme) => {
  const page = await console_.signedIn({ colorScheme });
  for (const path of [...screens, ...(await detailPaths())]) {
    await show(page, path);
    await openAll(page);
    expect([path, await violations(page)]).toEqual([path, []]);
  }
  const outside = await console_.page({ colorScheme });
  await outside.goto(`${console_.url}/console`);
  await outside.getByLabel('API key').waitFor();
  expect(await violations(outside)).toEqual([]);
});

it('is shown in a browser whose language is none', async () => {
  const page = await console_.signedIn();
  await page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'en-US@posix' })");
  await show(page, '/');
  await page.getByText(/uploads? in \d+ days?/).waitFor();
});

it('nothing scrolls sideways at 390 px', async () => {
  const page = await console_.signedIn({ viewport: { width: 390, height: 844 } });
  for (const path of [...screens, ...(await detailPaths())]) {
    await show(page, path);
    await openAll(page);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
});

it('loads less than 150 KB', async () => {
  const page = await console_.signedIn();
  let bytes = 0;
  page.on('requestfinished', async (request) => {
    if (!request.url().startsWith(`${console_.url}/console`)) return;
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    bytes += responseBodySize + responseHeadersSize;
  });
  // The first load also warms up the browser.
  const times: number[] = [];
  for (let load = 0; load < 3; load++) {
    bytes = 0;
    const begun = Date.now();
    await page.goto(`${console_.url}/console/ask?c=reports`, { waitUntil: 'commit' });
    await page.getByLabel('Task').fill('typed');
    times.push(Date.now() - begun);
    await page.waitForLoadState('networkidle');
    if (load === 0) expect(bytes).toBeGreaterThan(10_000);
    if (load === 0) process.stdout.write(`First screen: ${(bytes / 1000).toFixed(1)} KB gzipped. `);
    expect(bytes).toBeLessThan(150_000);
  }
  process.stdout.write(`Usable after ${times.join(', ')} ms.\n`);
});

/** Forms and details that are closed at first. */
async function openAll(page: Page): Promise<void> {
  for (const name of [/^Settings of/, /^Edit$/, /^Revoke/]) {
    const button = page.getByRole('button', { name }).first();
    if (await button.count()) await button.click();
  }
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  return (found as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }).violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}
