import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { consoleUnderTest } from './console-under-test.js';

const console_ = consoleUnderTest();
const collection = 'reports';
const task = 'How many orders did each customer place in 2024?';

interface Lesson {
  id: string;
  title: string;
  state: string;
  text: string;
}

async function lessons(): Promise<Lesson[]> {
  const { body } = await console_.call('GET', `/lessons?tenant_id=${collection}`);
  return (body as { lessons: Lesson[] }).lessons;
}

async function open(path: string, page?: Page): Promise<Page> {
  const shown = page ?? (await console_.signedIn());
  await shown.goto(`${console_.url}/console${path}${path.includes('?') ? '&' : '?'}c=${collection}`);
  await shown.getByRole('heading', { level: 1 }).waitFor();
  return shown;
}

/** Tells what the server has until it is so. */
function untilState(id: string, state: string | undefined): Promise<unknown> {
  return eventually(
    async () => ((await lessons()).find((lesson) => lesson.id === id)?.state === state ? true : undefined),
    { what: `the lesson is ${state}` },
  );
}

beforeAll(async () => {
  await console_.upload({
    tenant_id: collection,
    agent_type: 'sql',
    query: task,
    success: true,
    turns: [
      { turn: 1, inputs: 'the question', decision: 'SELECT * FROM order', result: 'ERROR: syntax error' },
      {
        turn: 2,
        inputs: 'the error',
        decision: 'SELECT customer_id, COUNT(*) FROM orders GROUP BY 1',
        result: '42 rows',
      },
    ],
  });
});

it('Overview tells how it goes, and a new collection what to paste', async () => {
  const page = await open('/');
  await page.getByRole('heading', { name: 'Is it worth it?' }).waitFor();
  await page.getByRole('img', { name: /uploads? in/ }).waitFor();

  await page.getByLabel('Collection').selectOption('');
  await page.getByLabel(/Name of the collection/).fill('fresh');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing here yet').waitFor();
  expect(await page.locator('.copyable pre').textContent()).toContain('"tenant_id": "fresh"');
});

it('Ask shows the answer of the agent and why each lesson was told, by keyboard', async () => {
  const page = await open('/');
  await page.getByRole('heading', { name: 'Overview' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Ask', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('How many orders did each customer place in 2025?');
  await page.keyboard.press('Control+Enter');

  await page.getByText('Recommendations from past runs').waitFor();
  await page.getByText('told', { exact: true }).first().waitFor();
  // The address can be shared.
  expect(page.url()).toContain('task=How+many+orders');
  await page.reload();
  await page.getByText('Recommendations from past runs').waitFor();
});

it('Lessons are found, pinned and unpinned again with Undo', async () => {
  const page = await open('/lessons');
  await page.keyboard.press('/');
  await page.keyboard.type('orders per customer');
  await page.waitForURL(/q=orders/);
  const [{ id }] = (await lessons()) as [Lesson];
  await page.getByRole('button', { name: /^Pin/ }).first().click();
  await page.locator('.badge.pinned').waitFor();
  await untilState(id, 'pinned');

  await page.getByRole('button', { name: 'Undo' }).click();
  await untilState(id, 'active');
});

it('a lesson tells what became of it, with the notes of feedback as text', async () => {
  const asked = { tenant_id: collection, agent_type: 'sql', input_text: task };
  const { body: answer } = await console_.call('POST', '/enhance_task', asked);
  const { metadata } = answer as { metadata: { enhancement_id: string; recommendations: { id: string }[] } };
  const note = 'the <b>year</b> was wrong';
  const feedback = { tenant_id: collection, enhancement_id: metadata.enhancement_id, success: false, note };
  expect((await console_.call('POST', '/feedback', feedback)).status).toBe(200);

  const page = await open(`/lessons/${metadata.recommendations[0]?.id}`);
  await page.getByText(`“${note}”`).waitFor();
  await page.getByText(/: helped 0, harmed 1$/).waitFor();
});

it('a lesson is written, edited with a reason, and deleted unless that is undone', async () => {
  const page = await open('/lessons/new');
  await page.getByLabel(/For which task/).fill('Report the revenue of a month');
  await page.getByLabel(/What should the agent know/).fill('Use the view revenue.');
  await page.getByRole('button', { name: 'Store the lesson' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text').fill('Use the view net_revenue.');
  await page.getByLabel(/Why/).fill('the old view is gone');
  await page.keyboard.press('Enter');
  await page.getByText('“the old view is gone”').waitFor();
  const written = (await lessons()).find(({ text }) => text === 'Use the view net_revenue.');
  expect(written).toBeDefined();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Lessons', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect((await lessons()).map(({ id }) => id)).toContain(written?.id);
  await page
    .getByRole('link', { name: written?.title ?? '' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/^Deleted/).waitFor();
  // Nobody can undo it any more once the page is left.
  await page.goto('about:blank');
  await untilState(written?.id ?? '', undefined);
});

it('a deletion is sent after ten seconds', async () => {
  const { body } = await console_.call('POST', '/lessons', {
    tenant_id: collection,
    applies_when: 'Ship it',
    text: 'Tag first.',
  });
  const { id } = body as Lesson;
  const page = await console_.signedIn();
  await page.clock.install();
  await open(`/lessons/${id}`, page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/^Deleted/).waitFor();
  await page.clock.runFor(9000);
  expect((await lessons()).map((lesson) => lesson.id)).toContain(id);

  await page.clock.runFor(1500);
  await untilState(id, undefined);
});

it('Runs are filtered, and one is shown as a timeline', async () => {
  const page = await open('/runs');
  await page.locator('.row').first().waitFor();
  await page.getByLabel('Job').selectOption('completed');
  await page.waitForURL(/status=completed/);
  await page.locator('.row .title').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  expect(await page.locator('.timeline li').count()).toBeGreaterThan(1);
  await page.goBack();
  expect(page.url()).toContain('status=completed');
});

it('Forget shows what would go while the slider moves, and deletes it unless that is undone', async () => {
  const { body } = await console_.call('POST', '/lessons', {
    tenant_id: collection,
    applies_when: 'Bake a chocolate cake',
    text: 'Sift the flour.',
  });
  const { id } = body as Lesson;
  const page = await open('/forget');
  await page.getByLabel(/What should be forgotten/).fill('baking some cake');
  await page.keyboard.press('Enter');
  await page.getByText('1 insight would be forgotten').waitFor();
  await page.getByLabel(/How similar/).focus();
  await page.keyboard.press('End');
  await page.getByText('0 insights would be forgotten').waitFor();
  await page.getByLabel(/How similar/).fill('0.5');
  await page.getByRole('button', { name: 'Forget 1 insight' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Forget 1 insight' }).click();
  await page.getByText(/^Forgetting 1 insight/).waitFor();
  await page.goto('about:blank');
  await untilState(id, undefined);
});

it('a collection is kept for some days, or for ever with 0', async () => {
  const retention = async () => {
    const { body } = await console_.call('GET', '/collections');
    const { collections } = body as { collections: { tenant_id: string; retention_days: number | null }[] };
    return collections.find(({ tenant_id: name }) => name === collection)?.retention_days;
  };
  const page = await open('/forget');
  const keep = async (days: string) => {
    await page.getByRole('button', { name: `Settings of ${collection}` }).click();
    await page.getByLabel(/Retention in days/).fill(days);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  };
  expect(await retention()).toBeNull();
  await keep('30');
  await page.getByText('kept 30 days').waitFor();
  await keep('0');
  await page.getByText('kept 30 days').waitFor({ state: 'detached' });
  expect(await page.getByText(/kept \d/).count()).toBe(0);
  expect(await retention()).toBe(0);
});

it('collections whose name nobody knows are counted, and never taken for the default one', async () => {
  const page = await console_.signedIn();
  // As a server with collections from before names were kept answers.
  await page.route(/\/collections(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const { collections, ...rest } = (await answer.json()) as { collections: object[] };
    const nameless = {
      ...collections[0],
      tenant_id: null,
      default: false,
      last_upload_at: '2099-01-01T00:00:00.000000',
    };
    await route.fulfill({ response: answer, json: { ...rest, collections: [nameless, nameless, ...collections] } });
  });
  await page.goto(`${console_.url}/console/forget`);
  await page.getByText('2 collections without a name until something is uploaded.').waitFor();
  // The one with the latest upload among those with a name is shown first.
  await eventually(async () => (new URL(page.url()).searchParams.get('c') === collection ? true : undefined), {
    what: 'the collection with the latest upload is open',
  });
  expect(await page.getByRole('button', { name: /^Erase/ }).count()).toBe(1);
  const offered = await page.getByLabel('Collection', { exact: true }).locator('option').allTextContents();
  expect(new Set(offered).size).toBe(offered.length);
});

it('a collection is erased once its name is typed', async () => {
  await console_.call('POST', '/lessons', { tenant_id: 'old', applies_when: 'a task', text: 'a text' });
  const page = await open('/forget?', await console_.signedIn());
  await page.goto(`${console_.url}/console/forget?c=old`);
  await page.getByRole('button', { name: 'Erase old' }).click();
  const erase = page.getByRole('button', { name: 'Erase the collection' });
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel(/to confirm/).fill('old');
  await erase.click();
  await page.getByText('Erasing old').waitFor();
  await page.goto('about:blank');
  await eventually(
    async () => {
      const { body } = await console_.call('GET', '/lessons?tenant_id=old');
      return (body as { lessons: object[] }).lessons.length === 0 ? true : undefined;
    },
    { what: 'the collection is empty' },
  );
});

it('Keys are issued, shown once and revoked; the trail and the usage are beside them', async () => {
  const page = await open('/keys');
  await page.getByText('Issue a key').click();
  await page.getByLabel('Reason').fill('shop agents');
  await page.keyboard.press('Enter');
  await page.getByText('It is shown only this once').waitFor();
  const key = (await page.locator('.copyable pre').textContent()) ?? '';
  expect((await fetch(console_.url, { headers: { 'x-api-key': key } })).status).toBe(200);

  await page.getByRole('button', { name: `Revoke ${key.split('_')[1]}` }).click();
  await page.getByLabel(/Why\?/).fill('a test');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText(/^Revoked/).waitFor();
  expect((await fetch(console_.url, { headers: { 'x-api-key': key } })).status).toBe(401);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('key.issued').first().waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('columnheader', { name: 'Uploads' }).waitFor();
});
