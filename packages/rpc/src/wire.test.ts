import fc, { type Arbitrary } from 'fast-check';

import { lessonArbitraries as lessons } from './test-kit/lesson-arbitraries.js';
import { messageArbitraries as arbitrary } from './test-kit/message-arbitraries.js';
import { createWire, type UnaryMethod } from './wire.js';

const wire = createWire();

describe('every message between services survives the trip through its proto', () => {
  bothWays('analyser.Enhance', wire.analyser.Enhance, arbitrary.enhanceRequest, arbitrary.enhanceResult);
  bothWays('indexer.Search', wire.indexer.Search, arbitrary.searchRequest, arbitrary.searchResult);
  bothWays('indexer.GetRuns', wire.indexer.GetRuns, arbitrary.getRunsRequest, arbitrary.getRunsResult);
  bothWays('indexer.Replace', wire.indexer.Replace, arbitrary.replaceRequest, arbitrary.replaceResult);
  bothWays(
    'indexer.FindDeletedRuns',
    wire.indexer.FindDeletedRuns,
    arbitrary.findDeletedRunsRequest,
    arbitrary.findDeletedRunsResult,
  );
  bothWays(
    'indexer.DescribeCollections',
    wire.indexer.DescribeCollections,
    arbitrary.describeCollectionsRequest,
    arbitrary.describeCollectionsResult,
  );
  bothWays(
    'indexer.DeleteByIntent',
    wire.indexer.DeleteByIntent,
    arbitrary.deleteByIntentRequest,
    arbitrary.deleteByIntentResult,
  );
  bothWays(
    'indexer.EraseCollection',
    wire.indexer.EraseCollection,
    arbitrary.eraseCollectionRequest,
    arbitrary.eraseCollectionResult,
  );
  bothWays('indexer.ListLessons', wire.indexer.ListLessons, lessons.listRequest, lessons.listResult);
  bothWays('indexer.GetLesson', wire.indexer.GetLesson, lessons.getRequest, lessons.getResult);
  bothWays('indexer.DecideLesson', wire.indexer.DecideLesson, lessons.decideRequest, lessons.decideResult);
  bothWays('indexer.DeleteLesson', wire.indexer.DeleteLesson, lessons.deleteRequest, lessons.deleteResult);
  bothWays('indexer.WriteLesson', wire.indexer.WriteLesson, lessons.writeRequest, lessons.writeResult);
  bothWays('indexer.GiveFeedback', wire.indexer.GiveFeedback, lessons.feedbackRequest, lessons.feedbackResult);
  bothWays('indexer.GetOutcomes', wire.indexer.GetOutcomes, lessons.outcomesRequest, lessons.outcomesResult);
  bothWays('indexer.GetSettings', wire.indexer.GetSettings, lessons.getSettingsRequest, lessons.settingsResult);
  bothWays(
    'indexer.ChangeSettings',
    wire.indexer.ChangeSettings,
    lessons.changeSettingsRequest,
    lessons.settingsResult,
  );
  bothWays('status.GetJob', wire.status.GetJob, arbitrary.getJobRequest, arbitrary.jobState);
  bothWays('status.ListAudit', wire.status.ListAudit, arbitrary.listAuditRequest, arbitrary.listAuditResult);
  bothWays('status.GetUsage', wire.status.GetUsage, arbitrary.getUsageRequest, arbitrary.getUsageResult);
  bothWays('status.ListRuns', wire.status.ListRuns, arbitrary.listRunsRequest, arbitrary.listRunsResult);
  bothWays('status.CountRuns', wire.status.CountRuns, arbitrary.countRunsRequest, arbitrary.countRunsResult);

  it('has a proto method tested here for every method there is', () => {
    const services: Record<string, { path: string }>[] = Object.values(wire);

    expect(services.flatMap((service) => Object.values(service).map(({ path }) => path)).sort()).toEqual([
      '/whetstone.analyser.v1.AnalyserService/Enhance',
      '/whetstone.indexer.v1.IndexerService/ChangeSettings',
      '/whetstone.indexer.v1.IndexerService/DecideLesson',
      '/whetstone.indexer.v1.IndexerService/DeleteByIntent',
      '/whetstone.indexer.v1.IndexerService/DeleteLesson',
      '/whetstone.indexer.v1.IndexerService/DescribeCollections',
      '/whetstone.indexer.v1.IndexerService/EraseCollection',
      '/whetstone.indexer.v1.IndexerService/FindDeletedRuns',
      '/whetstone.indexer.v1.IndexerService/GetLesson',
      '/whetstone.indexer.v1.IndexerService/GetOutcomes',
      '/whetstone.indexer.v1.IndexerService/GetRuns',
      '/whetstone.indexer.v1.IndexerService/GetSettings',
      '/whetstone.indexer.v1.IndexerService/GiveFeedback',
      '/whetstone.indexer.v1.IndexerService/ListLessons',
      '/whetstone.indexer.v1.IndexerService/Replace',
      '/whetstone.indexer.v1.IndexerService/Search',
      '/whetstone.indexer.v1.IndexerService/WriteLesson',
      '/whetstone.status.v1.StatusService/CountRuns',
      '/whetstone.status.v1.StatusService/GetJob',
      '/whetstone.status.v1.StatusService/GetUsage',
      '/whetstone.status.v1.StatusService/ListAudit',
      '/whetstone.status.v1.StatusService/ListRuns',
    ]);
  });

  it('loses a field that the proto does not have, which is what the trips above would notice', () => {
    const { Search } = wire.indexer;
    const request = { collectionId: 'c', text: 't', limit: 1, unheardOf: 'x' };

    expect(Search.requestDeserialize(Search.requestSerialize(request))).toStrictEqual({
      collectionId: 'c',
      text: 't',
      limit: 1,
    });
  });

  it('refuses a word that its enum does not have', () => {
    const { GetJob } = wire.status;

    expect(() => GetJob.responseSerialize({ jobId: 'j', status: 'lost' as 'failed' })).toThrow('has no value "lost"');
  });

  it('takes an insight of an earlier version, which has no name and does not say what it is about', () => {
    const { Search } = wire.indexer;
    const insight = { kind: 'strategy', title: 't', content: 'c', steps: [], polarity: 'success', evidence: [] };
    const hit = { id: 'h', insight: { ...insight, confidence: 1 }, run: { outcome: 'success' } };

    const answer = Search.responseDeserialize(Search.responseSerialize({ hits: [hit] } as never));
    const { hits } = answer;

    expect(hits).toMatchObject([{ name: '', insight: { actions: [], effects: [] }, run: { changes: [] } }]);
    expect(hits[0]?.insight).not.toHaveProperty('scope');
    expect(hits[0]?.insight).not.toHaveProperty('rule');
    expect(hits[0]).not.toHaveProperty('origin.trust');
    expect(hits[0]).not.toHaveProperty('tally');
    expect(answer.verdicts).toEqual([]);
    expect(answer).not.toHaveProperty('settings');
  });

  it('refuses an answer that leaves an enum out rather than guessing', () => {
    expect(() => wire.status.GetJob.responseDeserialize(Buffer.alloc(0))).toThrow('JOB_STATUS_UNSPECIFIED');
  });
});

function bothWays<Request, Result>(
  name: string,
  method: UnaryMethod<Request, Result>,
  requests: Arbitrary<Request>,
  results: Arbitrary<Result>,
): void {
  it(`${name}, there`, () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(method.requestDeserialize(method.requestSerialize(request))).toStrictEqual(request);
      }),
    );
  });

  it(`${name}, and back`, () => {
    fc.assert(
      fc.property(results, (result) => {
        expect(method.responseDeserialize(method.responseSerialize(result))).toStrictEqual(result);
      }),
    );
  });
}
