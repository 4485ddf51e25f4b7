import { readFile, writeFile } from 'node:fs/promises';

import { shortDigest } from '@whetstone/contracts';
import {
  defaultModel,
  openLocalVectorStore,
  type Row,
  rowIdOf,
  type VectorStore,
  voteVector,
} from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import type { TestInstallation } from './installation.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

export const lessonName = 'lesson-use-find-.variant1.delete-1';

/** A run and an insight of one job; `earlier`: as the version before wrote them. */
export function rowsOf(collectionId: string, jobId: string, { attempt = '1', earlier = false } = {}): Row[] {
  const acceptedAt = 1000;
  const common = { collectionId, jobId, attempt, acceptedAt, intent: 'delete log files', vector: unitVector(1) };
  const origin = { jobId, keyId: 'k', acceptedAt, bodyDigest: 'd', producer: { name: 'reflector', version: '1' } };
  const run = {
    outcome: 'success',
    judged: false,
    uses: ['find'],
    ...(earlier ? {} : { changes: ['find'] }),
    steps: [{ turn: 1, action: 'find', outcome: 'ok' }],
  };
  const insight = {
    kind: 'strategy',
    title: 'Use find',
    content: 'Let find delete.',
    steps: [],
    polarity: 'success',
    evidence: [1],
    confidence: 0.7,
    ...(earlier ? {} : { scope: 'task', rule: 'a-rule', actions: [], effects: [] }),
  };
  const row = (ordinal: number, type: 'run' | 'insight', text: string, body: object): Row => {
    const id = rowIdOf(collectionId, jobId, attempt, ordinal);
    const name = type === 'insight' && !earlier ? lessonName : '';
    return { ...common, id, name, ordinal, type, text, body: JSON.stringify(body) };
  };
  return [
    row(0, 'run', '', { run, origin }),
    row(1, 'insight', 'Use find\nLet find delete.', {
      ...(earlier ? {} : { name: lessonName }),
      insight,
      run: { outcome: 'success', judged: false, uses: ['find'], ...(earlier ? {} : { changes: ['find'] }) },
      origin,
    }),
  ];
}

export interface CitedRun {
  tokenDigest: string;
  arm?: 'recommended' | 'holdout' | 'nothing_to_say';
  outcome?: 'success' | 'failure' | 'unknown';
  judged?: boolean;
  acceptedAt?: number;
}

/** The run of a job that cites an answer. */
export function aCitingRun(collectionId: string, jobId: string, given: CitedRun): Row {
  const { tokenDigest, arm = 'recommended', outcome = 'success', judged = false, acceptedAt = 1000 } = given;
  const [row] = rowsOf(collectionId, jobId) as [Row, Row];
  const { run, origin } = JSON.parse(row.body);
  const body = { run: { ...run, outcome, judged }, origin, cited: { tokenDigest, arm } };
  return { ...row, acceptedAt, body: JSON.stringify(body) };
}

/** A job's vote on the insight of another. */
export function aVote(collectionId: string, jobId: string, on: string): Row {
  const [run] = rowsOf(collectionId, jobId) as [Row, Row];
  const { origin } = JSON.parse(run.body);
  return {
    ...run,
    id: rowIdOf(collectionId, jobId, '1', 2),
    ordinal: 2,
    type: 'vote',
    intent: '',
    vector: voteVector(384),
    body: JSON.stringify({ vote: { about: `${on}/1`, tokenDigest: `cited-by-${jobId}`, helped: true }, origin }),
  };
}

/** What consolidation makes of three runs and a vote: a copy of the latest run, and the insight with its tally. */
export function consolidatedRows(collectionId: string): Row[] {
  const [run, insight] = rowsOf(collectionId, 'job_3') as [Row, Row];
  const digests = `digest-1digest-2${shortDigest('d')}`;
  const tally = {
    runs: 3,
    lowTrustRuns: 0,
    digests,
    lowTrustDigests: '',
    keys: [{ keyId: 'k' }],
    jobIds: ['job_1', 'job_2', 'job_3'],
    firstSeen: 1000,
    lastSeen: 60_000_000,
    votes: {
      helped: 2,
      harmed: 1,
      tokens: { helped: 'token--1token--2', harmed: 'token--3' },
      days: { helped: '----0fs0', harmed: '0fs1' },
      notes: [{ givenAt: 60_000_000, success: false, note: 'the disk was full' }],
    },
    absorbed: ['job_1', 'job_2', 'job_3'].map((jobId) => rowIdOf(collectionId, jobId, '1', 1)),
  };
  const place = (ordinal: number) => ({ id: rowIdOf(collectionId, lessonName, '9', ordinal), jobId: lessonName });
  return [
    { ...run, ...place(0), attempt: '9' },
    { ...insight, ...place(1), attempt: '9', body: JSON.stringify({ ...JSON.parse(insight.body), tally }) },
  ];
}

/** What remains of dropped runs that cited answers: two with recommendations, one held out, one without an outcome. */
export function aSummary(collectionId: string, attempt: string, succeeded: number): Row {
  const [run] = rowsOf(collectionId, 'job_3') as [Row, Row];
  const answers = {
    uploads: 4,
    untold: 1,
    arms: {
      recommended: { told: 2, succeeded },
      holdout: { told: 1, succeeded: 0 },
      nothing_to_say: { told: 0, succeeded: 0 },
    },
    tokens: ['t-1', 't-2', 't-3'].map(shortDigest).join(''),
  };
  return {
    ...run,
    id: rowIdOf(collectionId, 'answers', attempt, 0),
    jobId: 'answers',
    attempt,
    intent: '',
    vector: voteVector(384),
    body: JSON.stringify({ ...JSON.parse(run.body), answers }),
  };
}

/** A decision about a lesson, or a change to the settings. */
export function aDecision(collectionId: string, jobId: string, attempt: string, body: object): Row {
  const [run] = rowsOf(collectionId, jobId) as [Row, Row];
  return {
    ...run,
    id: rowIdOf(collectionId, jobId, attempt, 0),
    attempt,
    type: 'decision',
    intent: '',
    vector: voteVector(384),
    body: JSON.stringify(body),
  };
}

export function unitVector(seed: number): Float32Array {
  const raw = Float32Array.from({ length: 384 }, (_, index) => Math.sin(index * 12.9898 + seed));
  const length = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0));
  return raw.map((value) => value / length);
}

export async function withStore<Result>(
  { folder }: TestInstallation,
  work: (store: VectorStore) => Promise<Result>,
): Promise<Result> {
  const store = await openLocalVectorStore({ path: folder.knowledge, model: defaultModel, logger });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function fill(installation: TestInstallation, rows: Row[]): Promise<void> {
  return withStore(installation, async (store) => {
    for (const collectionId of new Set(rows.map((row) => row.collectionId))) {
      await store.createCollection(collectionId);
      await store.upsert(
        collectionId,
        rows.filter((row) => row.collectionId === collectionId),
      );
    }
  });
}

export function rowsIn(installation: TestInstallation, collectionId: string): Promise<Row[]> {
  return withStore(installation, (store) => store.page(collectionId, { limit: 100 }));
}

export async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export async function change(path: string, edit: (line: Record<string, unknown>) => object): Promise<void> {
  const lines = (await linesOf(path)).map((line) => JSON.stringify(edit(line)));
  await writeFile(path, lines.join('\n'));
}
