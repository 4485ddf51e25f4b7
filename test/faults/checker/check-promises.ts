import type { JobRecord } from '../../support/contract.js';
import { markersIn } from '../clients/history.js';
import type { Evidence, SentDeletion, SentUpload, Sighting, StoredRow } from '../evidence.js';

/** The ways in which a promise can be broken. */
export const kinds = [
  'lost',
  'doubled',
  'unended',
  'failed',
  'changed',
  'leaked',
  'undeleted',
  'odd',
  'silent',
] as const;
export type Kind = (typeof kinds)[number];

/** One broken promise. */
export interface Problem {
  kind: Kind;
  /** What happened to whom. */
  text: string;
}

export function problem(kind: Kind, text: string): Problem {
  return { kind, text };
}

/** Compares what clients were promised with the final state, and describes every broken promise. */
export function checkPromises(evidence: Evidence): Problem[] {
  return [
    ...checkEnds(evidence),
    ...checkRows(evidence),
    ...checkContents(evidence),
    ...checkPlaces(evidence),
    ...evidence.leaks.map((text) => problem('leaked', text)),
    ...evidence.oddities.map((text) => problem('odd', text)),
  ];
}

/** Requests that cross within a second may fall either way. */
const skewMs = 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** What each upload taught is stored under its job, in the number that the job reports; or it was deleted and stays deleted. */
export function checkContents({ uploads, deletions, sightings, rows }: Evidence): Problem[] {
  const byMarker = groupBy(rows, ({ text }) => markersIn(text).map(({ marker }) => marker));
  const completed = new Map(
    sightings.filter(({ status }) => status === 'completed').map(({ jobId, record }) => [jobId, record]),
  );
  return uploads.flatMap((upload) => {
    const own = byMarker.get(upload.marker) ?? [];
    const deletion = deletionOf(upload, deletions);
    if (deletion === 'surely' && own.length > 0) {
      return [problem('undeleted', `upload ${upload.marker} was deleted and has ${own.length} rows: ${own[0]?.id}`)];
    }
    return [
      ...underWrongJob(upload, own),
      ...[...new Set(upload.jobIds)].flatMap((jobId) => {
        const record = completed.get(jobId);
        return record === undefined ? [] : wrongAmount(upload, JSON.parse(record) as JobRecord, own, deletion);
      }),
    ];
  });
}

type Coverage = 'surely' | 'maybe' | 'no';

/** A deletion certainly covers an upload that was answered before the deletion was sent. */
function deletionOf(upload: SentUpload, deletions: readonly SentDeletion[]): Coverage {
  const own = deletions.filter(({ tag, topic }) => tag === upload.tag && topic === upload.topic);
  if (own.some(({ done, begunAt }) => done && upload.endedAt < begunAt - skewMs)) return 'surely';
  return own.some(({ endedAt }) => upload.begunAt < endedAt + skewMs) ? 'maybe' : 'no';
}

function underWrongJob(
  { marker, jobIds, idempotencyKey, begunAt, endedAt }: SentUpload,
  own: readonly StoredRow[],
): Problem[] {
  const jobs = new Set([...jobIds, ...own.map(({ jobId }) => jobId)]);
  // An Idempotency-Key is valid for one UTC day.
  const allowed = idempotencyKey !== undefined && dayOf(begunAt) !== dayOf(endedAt) ? 2 : 1;
  return jobs.size <= allowed
    ? []
    : [problem('doubled', `upload ${marker} is ${jobs.size} jobs: ${[...jobs].join(', ')}`)];
}

function wrongAmount({ marker }: SentUpload, job: JobRecord, own: readonly StoredRow[], deletion: Coverage): Problem[] {
  const there = own.filter(({ jobId, type }) => jobId === job.job_id && type === 'insight').length;
  const told = job.insights_stored ?? 0;
  const says = `upload ${marker}, job ${job.job_id}: ${told} insights were told (${job.outcome}), ${there} are there`;
  if (there > told) return [problem('doubled', says)];
  if (deletion === 'no' && (there < told || told === 0)) return [problem('lost', says)];
  return [];
}

function dayOf(moment: number): number {
  return Math.floor(moment / dayMs);
}

/** Every acknowledged job is known from its 202 on, ends as it should, and never changes afterwards, at any gateway. */
export function checkEnds({ uploads, sightings, gateways, quietSince }: Evidence): Problem[] {
  const byJob = groupBy(sightings, ({ jobId }) => [jobId]);
  return uploads.flatMap((upload) =>
    [...new Set(upload.jobIds)].flatMap((jobId) => {
      const seen = byJob.get(jobId) ?? [];
      const unknown = seen.filter(({ status }) => status === 'unknown');
      if (unknown.length > 0)
        return [problem('lost', `job ${jobId} was acknowledged and is a 404 at ${whereOf(unknown)}`)];
      const last = seen.filter(({ begunAt }) => begunAt >= quietSince);
      return [...unended(jobId, last, gateways), ...wrongEnd(upload, jobId, last), ...changes(jobId, seen)];
    }),
  );
}

function unended(jobId: string, last: readonly Sighting[], gateways: readonly string[]): Problem[] {
  const open = gateways.filter((gateway) => !last.some((seen) => seen.gateway === gateway && hasEnded(seen)));
  return open.length === 0 ? [] : [problem('unended', `job ${jobId} has no end at ${open.join(', ')}`)];
}

function wrongEnd({ marker, fate }: SentUpload, jobId: string, last: readonly Sighting[]): Problem[] {
  const wrong = last.find((seen) => hasEnded(seen) && seen.status !== fate);
  return wrong ? [problem('failed', `upload ${marker}, job ${jobId}, was to be ${fate}: ${wrong.record}`)] : [];
}

/** Answers overlap in time: one contradicts another only if it was requested after the other arrived. */
function changes(jobId: string, seen: readonly Sighting[]): Problem[] {
  const ended = seen.filter(hasEnded);
  const records = new Set(ended.map(({ record }) => record));
  const firstEnd = Math.min(...ended.map(({ endedAt }) => endedAt));
  const back = seen.filter((sighting) => !hasEnded(sighting) && sighting.begunAt > firstEnd);
  return [
    ...(records.size > 1
      ? [problem('changed', `job ${jobId} has ended in ${records.size} ways: ${[...records].join(' ')}`)]
      : []),
    ...(back.length > 0 ? [problem('changed', `job ${jobId} had ended and was open again at ${whereOf(back)}`)] : []),
  ];
}

function hasEnded({ status }: Sighting): boolean {
  return status === 'completed' || status === 'failed';
}

function whereOf(sightings: readonly Sighting[]): string {
  return [...new Set(sightings.map(({ gateway }) => gateway))].join(', ');
}

/** Uploads to one place are in one collection, and nothing of another place is. */
export function checkPlaces({ rows }: Evidence): Problem[] {
  const pairs = rows.flatMap(({ collectionId, text }) => markersIn(text).map(({ tag }) => ({ collectionId, tag })));
  return [
    ...severalOf(pairs, 'collectionId', 'tag').map((id) =>
      problem('leaked', `collection ${id} holds what belongs to others`),
    ),
    ...severalOf(pairs, 'tag', 'collectionId').map((tag) =>
      problem('leaked', `what belongs to ${tag} is in several collections`),
    ),
  ];
}

type Pair = { collectionId: string; tag: string };

/** Keys that occur with more than one value. */
function severalOf(pairs: readonly Pair[], first: keyof Pair, second: keyof Pair): string[] {
  const partners = new Map<string, Set<string>>();
  for (const pair of pairs) partners.set(pair[first], (partners.get(pair[first]) ?? new Set()).add(pair[second]));
  return [...partners].filter(([, of]) => of.size > 1).map(([name]) => name);
}

/** However often an upload was delivered: its job has the rows of one attempt, each once. */
export function checkRows({ uploads, rows }: Evidence): Problem[] {
  const jobIds = new Set(uploads.flatMap((upload) => upload.jobIds));
  const byJob = groupBy(rows, ({ jobId }) => [jobId]);
  return [
    ...repeated(rows.map(({ id }) => id)).map((id) => problem('doubled', `row ${id} is there twice`)),
    ...[...jobIds].flatMap((jobId) => severalAttempts(jobId, byJob.get(jobId) ?? [])),
    ...repeated(uploads.flatMap((upload) => [...new Set(upload.jobIds)])).map((jobId) =>
      problem('lost', `two uploads were given the one job ${jobId}`),
    ),
  ];
}

function severalAttempts(jobId: string, rows: readonly StoredRow[]): Problem[] {
  const attempts = new Set(rows.map(({ attempt }) => attempt));
  return attempts.size > 1 ? [problem('doubled', `job ${jobId} has the rows of ${attempts.size} attempts`)] : [];
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

export function groupBy<Item>(items: readonly Item[], keysOf: (item: Item) => Iterable<string>): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}
