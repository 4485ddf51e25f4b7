import type { RunTrail, SearchHit } from '@whetstone/contracts';

import { anUpload } from '../../test-kit/index.js';
import type { KnowledgeBase } from '../ports.js';
import { createFindOpposites } from './attempt-job.js';

const task = 'Refund the order of a lamp that came broken';
const upload = anUpload({ at: 1, query: task });
const { signal } = new AbortController();

function aRun(given: Partial<RunTrail> = {}): RunTrail {
  return { outcome: 'success', judged: false, uses: [], changes: [], steps: [], ...given };
}

function aHit(jobId: string, given: { intent?: string; run?: Partial<RunTrail>; tally?: string[] } = {}): SearchHit {
  const { intent = task, run } = given;
  const origin = { jobId, keyId: 'k', acceptedAt: 1, bodyDigest: jobId, producer: { name: 'p', version: '1' } };
  const insight = {} as never;
  const hit = { id: jobId, name: `name of ${jobId}`, intent, run: aRun(run), origin, similarity: 1, score: 1, insight };
  const { tally: jobIds } = given;
  if (!jobIds) return hit;
  const runs = jobIds.length;
  return { ...hit, tally: { runs, lowTrustRuns: 0, digests: '', keys: [], jobIds, firstSeen: 1, lastSeen: 1 } };
}

/** A knowledge base with these insights, which finds all of them, and what is stored of their runs by now. */
function knowing(hits: SearchHit[], now: (jobId: string) => Partial<RunTrail> = () => ({})) {
  const asked: unknown[] = [];
  const knowledge: Pick<KnowledgeBase, 'search' | 'getRuns'> = {
    async search(request) {
      asked.push(request);
      return { hits, verdicts: [], settings: {} };
    },
    async getRuns(request) {
      asked.push(request);
      return { runs: request.jobIds.map((jobId) => ({ jobId, run: aRun({ uses: [jobId], ...now(jobId) }) })) };
    },
  };
  const find = createFindOpposites(knowledge, upload);
  const found = async (run: Partial<RunTrail> = { outcome: 'failure' }) =>
    (await find({ intent: task, run: aRun(run) }, signal)).map(({ uses }) => uses[0]);
  return { asked, found };
}

describe('finding runs at the same task that ended the other way', () => {
  it('asks in the collection of the upload, for its kind of agent, and reads the runs of what is found', async () => {
    const { asked, found } = knowing([aHit('j1'), aHit('j1'), aHit('j2')]);

    expect(await found()).toEqual(['j1', 'j2']);
    const { collectionId } = upload;
    expect(asked).toEqual([
      { collectionId, text: task, limit: 32, agentType: 'tool-calling' },
      { collectionId, jobIds: ['j1', 'j2'] },
    ]);
  });

  it('reads the run that a consolidated insight keeps under its name, once per run', async () => {
    const { found } = knowing([aHit('j1', { tally: ['j0', 'j1'] }), aHit('j2'), aHit('j2')]);

    expect(await found()).toEqual(['name of j1', 'j2']);
  });

  it('compares with an insight that this very upload is tallied in, if its latest run is another', async () => {
    const { found } = knowing([
      aHit('j1', { tally: [upload.jobId, 'j1'] }),
      aHit(upload.jobId, { tally: ['j2', upload.jobId] }),
    ]);

    expect(await found()).toEqual(['name of j1']);
  });

  it('reads at most three runs', async () => {
    expect(await knowing(['j1', 'j2', 'j3', 'j4'].map((jobId) => aHit(jobId))).found()).toEqual(['j1', 'j2', 'j3']);
  });

  it.each([
    ['a run that ended alike', aHit('j1', { run: { outcome: 'failure' } })],
    ['a run of which nobody said how it ended', aHit('j1', { run: { judged: true } })],
    ['a run at another task', aHit('j1', { intent: 'Refund the order of a chair that came broken' })],
    ['what an earlier try at this very upload left', aHit(upload.jobId)],
  ])('leaves out %s', async (_, hit) => {
    const { asked, found } = knowing([hit]);

    expect(await found()).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('takes the word of the run for how it ended, where that has changed since', async () => {
    const { found } = knowing([aHit('j1'), aHit('j2')], (jobId) => (jobId === 'j1' ? { outcome: 'failure' } : {}));

    expect(await found()).toEqual(['j2']);
  });

  it.each([
    ['is not known', { outcome: 'unknown' }],
    ['was only judged by its turns', { outcome: 'failure', judged: true }],
  ] as const)('finds none, and asks nobody, where the end of the run itself %s', async (_, run) => {
    const { asked, found } = knowing([aHit('j1'), aHit('j2', { run: { outcome: 'failure' } })]);

    expect(await found(run)).toEqual([]);
    expect(asked).toEqual([]);
  });
});
