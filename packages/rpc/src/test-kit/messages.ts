import type { RequestTo, ResultFrom, RpcHandlers, RpcServiceName } from '../rpc-services.js';
import type { Wire } from '../wire.js';

export const aSearch: RequestTo<'indexer', 'Search'> = { collectionId: 'c', text: 'find logs', limit: 3 };

export const nothingFound: ResultFrom<'indexer', 'Search'> = { hits: [], verdicts: [], settings: {} };

export const aDeletion: RequestTo<'indexer', 'DeleteByIntent'> = {
  collectionId: 'c',
  intent: 'find logs',
  similarityThreshold: 0.5,
  requestedAt: 1,
  dryRun: false,
};

export const aReplacement: RequestTo<'indexer', 'Replace'> = {
  collectionId: 'c',
  jobId: 'j',
  attempt: 'a',
  intent: 'find logs',
  run: { outcome: 'success', judged: false, uses: [], changes: [], steps: [] },
  insights: [],
  origin: { jobId: 'j', keyId: 'k', acceptedAt: 1, bodyDigest: 'd', producer: { name: 'p', version: '1' } },
};

export const anEnhancement: RequestTo<'analyser', 'Enhance'> = {
  collectionId: 'c',
  inputText: 'find logs',
  context: {},
};

const aLesson: ResultFrom<'indexer', 'WriteLesson'>['lesson'] = {
  id: 'l',
  kind: 'strategy',
  title: 't',
  text: 'x',
  state: 'active',
  origin: 'person',
  support: 0,
  helped: 0,
  harmed: 0,
  firstSeen: 1,
  lastSeen: 1,
};

/** Handlers that answer the least there is; a test replaces the one that it is about. */
export const plainHandlers: { [Name in RpcServiceName & keyof Wire]: RpcHandlers<Name> } = {
  analyser: {
    Enhance: async ({ inputText }) => ({
      response: inputText,
      confidenceScore: 0,
      enhancementId: 'e',
      recommendations: [],
      holdout: false,
    }),
  },
  indexer: {
    Search: async () => nothingFound,
    GetRuns: async () => ({ runs: [] }),
    Replace: async () => ({ outcome: 'stored', insightsStored: 0 }),
    FindDeletedRuns: async ({ runs }) => ({ deleted: runs.map(() => false), lessons: [] }),
    DescribeCollections: async () => ({ collections: [] }),
    DeleteByIntent: async () => ({ deletedCount: 0, matches: [] }),
    EraseCollection: async () => ({ deletedCount: 0 }),
    ListLessons: async () => ({ lessons: [] }),
    GetLesson: async () => ({ evidence: [], against: [], decisions: [], votes: [], notes: [] }),
    DecideLesson: async () => ({}),
    DeleteLesson: async () => ({ deletedCount: 0 }),
    WriteLesson: async () => ({ lesson: aLesson }),
    GiveFeedback: async () => ({ counted: true }),
    GetOutcomes: async () => ({ recommended: { told: 0, succeeded: 0 }, holdout: { told: 0, succeeded: 0 } }),
    GetSettings: async () => ({ settings: {} }),
    ChangeSettings: async ({ settings }) => ({ settings }),
  },
  status: {
    GetJob: async ({ jobId }) => ({ jobId, status: 'processing' }),
    ListAudit: async () => ({ entries: [], more: false }),
    GetUsage: async () => ({ lines: [], truncated: false }),
    ListRuns: async () => ({ runs: [] }),
    CountRuns: async () => ({ counts: [] }),
  },
};
