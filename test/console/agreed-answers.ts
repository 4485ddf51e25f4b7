import type { Page } from 'playwright-core';

interface Server {
  url: string;
  key: string;
}

/** A moment of the API, some minutes ago. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '000');
const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const runs = Array.from({ length: 6 }, (_, at) => ({
  job_id: `job_${at}`,
  accepted_at: ago(at * 50),
  status: at === 0 ? 'processing' : at === 3 ? 'failed' : 'completed',
  query: `How many orders did customer ${at} place?`,
  agent_type: at === 2 ? null : 'sql',
  success: at % 3 === 2 ? null : at % 3 === 0,
  lessons: at % 2,
}));

const timeline = ['accepted', 'started', 'learnt', 'stored'].map((event, at) => ({ event, at: ago(9 - at) }));
const rate = { runs: 50, successes: 40, rate: 0.8 };
const usage = { key_id: '0a1b2c3d4e5f6g7h', answers: 9, empty_answers: 2, uploads: 4, bytes: 2048, refusals: 1 };

/** What the operations answer that a server may lack. */
const answers: Record<string, (query: URLSearchParams) => object> = {
  '/runs': (query) => ({
    runs:
      query.get('tenant_id') === 'fresh'
        ? []
        : runs.filter(({ status }) => [status, null].includes(query.get('status'))),
    next_cursor: null,
  }),
  '/runs/job_1': () => ({
    ...runs[1],
    timeline,
    trail: [{ action: 'SELECT 1', outcome: 'ok' }],
    lessons: [{ id: 'q7Vx2LmZ0aTfK9_c', title: 'What worked: orders' }],
    reason: null,
  }),
  '/uplift': () => ({
    with: rate,
    without: { runs: 20, successes: 12, rate: 0.6 },
    difference: 0.2,
    interval: [0.01, 0.4],
  }),
  '/usage': () => ({ days: [2, 1, 0].map((past) => ({ date: day(past), keys: [usage] })) }),
  '/audit': () => ({
    entries: [
      { at: ago(1), key_id: null, action: 'key.issued', subject: '0a1b2c3d4e5f6g7h', details: { reason: 'agents' } },
    ],
    next_cursor: null,
  }),
};

/** The server's own answers where it has the operation. */
export async function agreedAnswers(page: Page, { url, key }: Server): Promise<void> {
  const probe = await fetch(`${url}/audit`, { headers: { 'x-api-key': key } });
  if (probe.status !== 404) return;
  for (const [path, answer] of Object.entries(answers)) {
    await page.route(
      (to) => to.href.startsWith(url + path) && to.pathname === path,
      (route) => route.fulfill({ json: answer(new URL(route.request().url()).searchParams) }),
    );
  }
}
