import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from 'playwright-core';

import { consoleUnderTest } from './console-under-test.js';

const console_ = consoleUnderTest();

it('signs in with a key, by keyboard, and out again', async () => {
  const page = await console_.page();
  await page.goto(`${console_.url}/console/lessons?c=reports`);
  // The field takes the focus by itself, as soon as the server has said that nobody is signed in.
  await page.locator('input[name=key]:focus').waitFor();
  await page.keyboard.type('wst_nonsense');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('not valid');

  await page.getByLabel('API key').fill(console_.key);
  await page.keyboard.press('Enter');
  // Where one wanted to go.
  await page.getByRole('heading', { level: 1, name: 'Lessons' }).waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'whetstone_session', httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate('document.cookie + JSON.stringify({...localStorage, ...sessionStorage})')).not.toContain(
    console_.key,
  );

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

it('ends with its key, at once', async () => {
  const page = await console_.page();
  const { key, keyId } = await console_.issueKey('--scope curate');
  await page.goto(`${console_.url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await console_.call('DELETE', `/keys/${keyId}`);
  await goToLessons(page);

  await page.getByText('Your session has ended').waitFor();
});

it('expires, also where the browser keeps the cookie', async () => {
  const { key } = await console_.issueKey('--scope curate --expires 8s');
  const page = await console_.page();
  await page.goto(`${console_.url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const [cookie] = await page.context().cookies();

  await page.waitForTimeout(8000);
  await goToLessons(page);

  await page.getByText('Your session has ended').waitFor();
  const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'x-whetstone-console': '1' };
  expect((await fetch(`${console_.url}/lessons?tenant_id=a`, { headers })).status).toBe(401);
});

it('is of no use to another page', async () => {
  const elsewhere = createServer((_req, res) => res.setHeader('content-type', 'text/html').end('<p>another site</p>'));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  await console_.call('POST', '/lessons', { tenant_id: 'csrf', applies_when: 'a task', text: 'stays' });
  const page = await console_.signedIn();
  // Another port of the same host is the same site: the browser sends the cookie along.
  await page.goto(`http://127.0.0.1:${port}/`);
  const send = (headers: object) =>
    page.evaluate(`fetch('${console_.url}/collections?tenant_id=csrf&confirm=csrf', {
      method: 'DELETE', credentials: 'include', headers: ${JSON.stringify(headers)} }).then((r) => r.status, () => 'blocked')`);
  const post = await page.evaluate(`fetch('${console_.url}/delete_by_intent?tenant_id=csrf&intent=task', {
      method: 'POST', mode: 'no-cors', credentials: 'include' }).then((r) => r.type, () => 'blocked')`);

  expect([await send({}), await send({ 'x-whetstone-console': '1' }), post]).toEqual(['blocked', 'blocked', 'blocked']);
  const { body } = await console_.call('GET', '/lessons?tenant_id=csrf');
  expect((body as { lessons: object[] }).lessons).toHaveLength(1);
  const [cookie] = await page.context().cookies(console_.url);
  const raw = await fetch(`${console_.url}/lessons?tenant_id=csrf`, {
    headers: { cookie: `${cookie?.name}=${cookie?.value}` },
  });
  expect(raw.status).toBe(401);
  elsewhere.close();
});

it('offers what its key may do, and nothing else', async () => {
  const page = await console_.page();
  const { key } = await console_.issueKey('--scope ask');
  await page.goto(`${console_.url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  const screens = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  await screens.first().waitFor();
  expect(await screens.allTextContents()).toEqual(['Overview', 'Ask']);

  await page.goto(`${console_.url}/console/keys`);
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
});

/** By keyboard: the page may find out by itself that the session has ended, and then the link is gone. */
async function goToLessons(page: Page): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('l');
}
