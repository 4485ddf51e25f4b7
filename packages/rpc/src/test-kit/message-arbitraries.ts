import type {
  Candidate,
  CitedEnhancement,
  CollectionDescription,
  CollectionSettings,
  CountRunsRequest,
  CountRunsResult,
  DecidedState,
  DeletableRun,
  DeleteByIntentRequest,
  DeleteByIntentResult,
  DescribeCollectionsRequest,
  DescribeCollectionsResult,
  Effect,
  EncryptedReport,
  EnhancementArm,
  EnhanceRequest,
  EnhanceResult,
  EraseCollectionRequest,
  EraseCollectionResult,
  FindDeletedRunsRequest,
  FindDeletedRunsResult,
  GetJobRequest,
  GetRunsRequest,
  GetRunsResult,
  GetUsageRequest,
  GetUsageResult,
  Insight,
  InsightKind,
  InsightScope,
  IntentMatch,
  JobOutcome,
  JobState,
  JobStatus,
  LessonVerdict,
  LessonWording,
  ListAuditRequest,
  ListAuditResult,
  ListRunsRequest,
  ListRunsResult,
  Origin,
  Producer,
  Recommendation,
  ReplaceRequest,
  ReplaceResult,
  RunCount,
  RunLessons,
  RunShape,
  RunTrail,
  SearchHit,
  SearchRequest,
  SearchResult,
  SearchTexts,
  StoredLesson,
  StoredRun,
  TalliedKey,
  Tally,
  TrailStep,
  Trust,
  UsageLine,
  Votes,
} from '@whetstone/contracts';
import fc, { type Arbitrary } from 'fast-check';

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Required<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: Arbitrary<T[K]> };
type Optional<T> = { [K in OptionalKeys<T>]-?: Arbitrary<Exclude<T[K], undefined>> };

/**
 * Arbitrary messages of one type. Both lists are exhaustive by type: a field added to a message does not compile until it is
 * generated here, and then does not survive the trip until its proto has it.
 */
export function message<T>(required: Required<T>, optional: Optional<T>): Arbitrary<T> {
  const requiredKeys = Object.keys(required);
  return fc.record({ ...required, ...optional }, { requiredKeys, noNullPrototype: true } as never) as Arbitrary<T>;
}

/** Every word of a closed set, exhaustive by type. */
export function words<T extends string>(set: Record<T, true>): Arbitrary<T> {
  return fc.constantFrom(...(Object.keys(set) as T[]));
}

export const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', 'null', 'Zürich – 東京 – 🪨', '__proto__'),
);
const texts = fc.array(text, { maxLength: 4 });
export const integer = fc.oneof(fc.integer(), fc.constantFrom(0, -1));
export const turnNumber = fc.oneof(fc.integer(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER));
export const number = fc.double({ noNaN: true });
export const micros = fc.oneof(
  fc.integer({ min: 0, max: 4_102_444_800_000_000 }),
  fc.constantFrom(0, -62_135_596_800_000_000 / 8, 1_772_734_537_903_173, Number.MAX_SAFE_INTEGER),
);
export const list = <T>(items: Arbitrary<T>) => fc.array(items, { maxLength: 3 });
export const insightKind = words<InsightKind>({ strategy: true, pitfall: true, recovery: true });

const effect = words<Effect>({
  changes: true,
  destroys: true,
  destroys_all: true,
  connects: true,
  runs_fetched: true,
  opens_shell: true,
  installs: true,
  widens_rights: true,
  disables_safeguard: true,
  persists: true,
  unreadable: true,
});

const trust = words<Trust>({ low: true, normal: true, high: true });

const producer = message<Producer>({ name: text, version: text }, {});

const origin = message<Origin>(
  { jobId: text, keyId: text, acceptedAt: micros, bodyDigest: text, producer },
  { agentType: text, interactionTime: micros, trust },
);

const insight = message<Insight>(
  {
    kind: insightKind,
    title: text,
    content: text,
    steps: texts,
    polarity: words<Insight['polarity']>({ success: true, failure: true }),
    evidence: list(turnNumber),
    confidence: number,
    scope: words<InsightScope>({ task: true, error: true, format: true, agent: true }),
    rule: text,
    actions: texts,
    effects: list(effect),
  },
  { appliesWhen: text, notWhen: text, example: text, errorClass: text },
);

const trailStep = message<TrailStep>(
  { turn: turnNumber, action: text, outcome: words<TrailStep['outcome']>({ ok: true, error: true, unknown: true }) },
  { note: text },
);

const shape = {
  outcome: words<RunShape['outcome']>({ success: true, failure: true, unknown: true }),
  judged: fc.boolean(),
  uses: texts,
  changes: texts,
};

const runShape = message<RunShape>(shape, {});

export const runTrail = message<RunTrail>({ ...shape, steps: list(trailStep) }, {});

const storedLesson = message<StoredLesson>({ id: text, title: text }, {});
const storedRun = message<StoredRun>({ jobId: text, run: runTrail }, {});

const recommendation = message<Recommendation>(
  { id: text, kind: insightKind, title: text, text, similarity: number, support: integer, sourceJobIds: texts },
  {},
);

const intentMatch = message<IntentMatch>({ id: text, intent: text, similarity: number }, {});

const votes = message<Votes>({ helped: integer, harmed: integer }, {});

const talliedKey = message<TalliedKey>({ keyId: text }, { trust });

const tally = message<Tally>(
  {
    runs: integer,
    lowTrustRuns: integer,
    digests: text,
    keys: list(talliedKey),
    jobIds: texts,
    firstSeen: micros,
    lastSeen: micros,
  },
  {},
);

const searchHit = message<SearchHit>(
  { id: text, name: text, insight, intent: text, run: runShape, origin, similarity: number, score: number },
  { votes, tally },
);

const citedEnhancement = message<CitedEnhancement>(
  {
    tokenDigest: text,
    arm: words<EnhancementArm>({ recommended: true, holdout: true, nothing_to_say: true }),
    insightIds: texts,
  },
  {},
);

export const decidedState = words<DecidedState>({
  active: true,
  muted: true,
  pinned: true,
  approved: true,
  rejected: true,
});

export const wording = message<LessonWording>({}, { title: text, text, example: text });

const verdict = message<LessonVerdict>({ lesson: text }, { state: decidedState, wording });

export const settings = message<CollectionSettings>(
  {},
  {
    review: words<NonNullable<CollectionSettings['review']>>({ none: true, required: true }),
    holdoutShare: number,
    retentionDays: integer,
  },
);

const candidate = message<Candidate>(
  {
    id: text,
    kind: insightKind,
    title: text,
    task: text,
    similarity: number,
    support: integer,
    told: fc.boolean(),
    reason: text,
    because: text,
  },
  {},
);

const usageLine = message<UsageLine>(
  {
    day: integer,
    keyId: text,
    answers: turnNumber,
    emptyAnswers: turnNumber,
    uploads: turnNumber,
    bytes: turnNumber,
    refusals: turnNumber,
  },
  {},
);

const jobState = message<JobState>(
  {
    jobId: text,
    status: words<JobState['status']>({ processing: true, completed: true, failed: true, expired: true }),
  },
  {
    acceptedAt: micros,
    startedAt: micros,
    completedAt: micros,
    insightsStored: integer,
    outcome: words<JobOutcome>({ stored: true, nothing_to_learn: true, deleted: true }),
    reason: text,
    failedAt: micros,
    errorMessage: text,
    collectionId: text,
    success: fc.boolean(),
    learntAt: micros,
    report: message<EncryptedReport>({ dataKeyId: text, data: text }, {}),
  },
);

export const messageArbitraries = {
  enhanceRequest: message<EnhanceRequest>(
    { collectionId: text, inputText: text, context: fc.dictionary(text, text, { noNullPrototype: true }) },
    {
      agentType: text,
      explain: fc.boolean(),
      severalKeys: fc.boolean(),
      searchTexts: message<SearchTexts>({ task: text, context: text }, {}),
    },
  ),
  enhanceResult: message<EnhanceResult>(
    {
      response: text,
      confidenceScore: number,
      enhancementId: text,
      recommendations: list(recommendation),
      holdout: fc.boolean(),
    },
    { candidates: list(candidate) },
    // No candidates arrive as an empty list.
  ).map((result) => ({ candidates: [], ...result })),
  searchRequest: message<SearchRequest>(
    { collectionId: text, text, limit: integer },
    { contextText: text, agentType: text, byWordsAlone: fc.boolean() },
  ),
  searchResult: message<SearchResult>({ hits: list(searchHit), verdicts: list(verdict), settings }, {}),
  getRunsRequest: message<GetRunsRequest>({ collectionId: text, jobIds: texts }, {}),
  getRunsResult: message<GetRunsResult>({ runs: list(storedRun) }, {}),
  replaceRequest: message<ReplaceRequest>(
    { collectionId: text, jobId: text, attempt: text, intent: text, run: runTrail, insights: list(insight), origin },
    { cited: citedEnhancement },
  ),
  replaceResult: message<ReplaceResult>(
    {
      outcome: words<ReplaceResult['outcome']>({ stored: true, deleted: true, superseded: true }),
      insightsStored: integer,
    },
    { supersededBy: text, lessons: list(storedLesson) },
    // No lessons arrive as an empty list.
  ).map((result) => ({ lessons: [], ...result })),
  findDeletedRunsRequest: message<FindDeletedRunsRequest>(
    {
      collectionId: text,
      runs: list(message<DeletableRun>({ intent: text, acceptedAt: micros, lessons: texts }, {})),
    },
    { withLessons: fc.boolean() },
  ),
  findDeletedRunsResult: message<FindDeletedRunsResult>(
    { deleted: list(fc.boolean()), lessons: list(message<RunLessons>({ lessons: list(storedLesson) }, {})) },
    {},
  ),
  describeCollectionsRequest: message<DescribeCollectionsRequest>({ collectionIds: texts }, {}),
  describeCollectionsResult: message<DescribeCollectionsResult>(
    {
      collections: list(message<CollectionDescription>({ collectionId: text, insights: turnNumber, settings }, {})),
    },
    {},
  ),
  deleteByIntentRequest: message<DeleteByIntentRequest>(
    { collectionId: text, intent: text, similarityThreshold: number, requestedAt: micros, dryRun: fc.boolean() },
    {},
  ),
  deleteByIntentResult: message<DeleteByIntentResult>(
    { deletedCount: turnNumber, matches: list(intentMatch) },
    { remainingCount: turnNumber },
  ),
  eraseCollectionRequest: message<EraseCollectionRequest>({ collectionId: text, requestedAt: micros }, {}),
  eraseCollectionResult: message<EraseCollectionResult>({ deletedCount: turnNumber }, {}),
  listAuditRequest: message<ListAuditRequest>({ account: text, limit: integer }, { before: text }),
  listAuditResult: message<ListAuditResult>({ entries: texts, more: fc.boolean() }, {}),
  getUsageRequest: message<GetUsageRequest>({ account: text, fromDay: integer }, {}),
  getUsageResult: message<GetUsageResult>({ lines: list(usageLine), truncated: fc.boolean() }, {}),
  getJobRequest: message<GetJobRequest>({ jobId: text }, { waitMs: fc.nat(), withReport: fc.boolean() }),
  jobState,
  listRunsRequest: message<ListRunsRequest>(
    { collectionId: text, limit: integer },
    {
      status: words<JobStatus>({ processing: true, completed: true, failed: true }),
      success: fc.boolean(),
      cursor: text,
    },
  ),
  listRunsResult: message<ListRunsResult>({ runs: list(jobState) }, { cursor: text }),
  countRunsRequest: message<CountRunsRequest>({ collectionIds: texts }, {}),
  countRunsResult: message<CountRunsResult>(
    { counts: list(message<RunCount>({ collectionId: text, runs: turnNumber, lastAcceptedAt: micros }, {})) },
    {},
  ),
};
