import { fileURLToPath } from 'node:url';

import { loadSync, type MethodDefinition, type PackageDefinition } from '@grpc/proto-loader';
import type {
  ChangeSettingsRequest,
  ChangeSettingsResult,
  CountRunsRequest,
  CountRunsResult,
  DecideLessonRequest,
  DecideLessonResult,
  DeleteByIntentRequest,
  DeleteByIntentResult,
  DeleteLessonRequest,
  DeleteLessonResult,
  DescribeCollectionsRequest,
  DescribeCollectionsResult,
  EnhanceRequest,
  EnhanceResult,
  EraseCollectionRequest,
  EraseCollectionResult,
  FindDeletedRunsRequest,
  FindDeletedRunsResult,
  GetJobRequest,
  GetLessonRequest,
  GetLessonResult,
  GetOutcomesRequest,
  GetOutcomesResult,
  GetRunsRequest,
  GetRunsResult,
  GetSettingsRequest,
  GetSettingsResult,
  GetUsageRequest,
  GetUsageResult,
  GiveFeedbackRequest,
  GiveFeedbackResult,
  JobState,
  ListAuditRequest,
  ListAuditResult,
  ListLessonsRequest,
  ListLessonsResult,
  ListRunsRequest,
  ListRunsResult,
  ReplaceRequest,
  ReplaceResult,
  SearchRequest,
  SearchResult,
  WriteLessonRequest,
  WriteLessonResult,
} from '@whetstone/contracts';

import { createEnumNames, type EnumNames } from './enum-names.js';

/** One method as gRPC servers and clients take it, with the types of contracts on both sides. */
export type UnaryMethod<Request, Result> = MethodDefinition<Request, Result>;

/** The services between the four processes: hand one to a gRPC server or client, and contracts' messages go in and out. */
export interface Wire {
  analyser: { Enhance: UnaryMethod<EnhanceRequest, EnhanceResult> };
  indexer: {
    Search: UnaryMethod<SearchRequest, SearchResult>;
    GetRuns: UnaryMethod<GetRunsRequest, GetRunsResult>;
    Replace: UnaryMethod<ReplaceRequest, ReplaceResult>;
    FindDeletedRuns: UnaryMethod<FindDeletedRunsRequest, FindDeletedRunsResult>;
    DescribeCollections: UnaryMethod<DescribeCollectionsRequest, DescribeCollectionsResult>;
    DeleteByIntent: UnaryMethod<DeleteByIntentRequest, DeleteByIntentResult>;
    EraseCollection: UnaryMethod<EraseCollectionRequest, EraseCollectionResult>;
    ListLessons: UnaryMethod<ListLessonsRequest, ListLessonsResult>;
    GetLesson: UnaryMethod<GetLessonRequest, GetLessonResult>;
    DecideLesson: UnaryMethod<DecideLessonRequest, DecideLessonResult>;
    DeleteLesson: UnaryMethod<DeleteLessonRequest, DeleteLessonResult>;
    WriteLesson: UnaryMethod<WriteLessonRequest, WriteLessonResult>;
    GiveFeedback: UnaryMethod<GiveFeedbackRequest, GiveFeedbackResult>;
    GetOutcomes: UnaryMethod<GetOutcomesRequest, GetOutcomesResult>;
    GetSettings: UnaryMethod<GetSettingsRequest, GetSettingsResult>;
    ChangeSettings: UnaryMethod<ChangeSettingsRequest, ChangeSettingsResult>;
  };
  status: {
    GetJob: UnaryMethod<GetJobRequest, JobState>;
    ListAudit: UnaryMethod<ListAuditRequest, ListAuditResult>;
    GetUsage: UnaryMethod<GetUsageRequest, GetUsageResult>;
    ListRuns: UnaryMethod<ListRunsRequest, ListRunsResult>;
    CountRuns: UnaryMethod<CountRunsRequest, CountRunsResult>;
  };
}

const protoFolder = fileURLToPath(new URL('../../../proto', import.meta.url));

/** Reads the proto files and makes the definitions from them. Throws where a file is missing or does not parse. */
export function createWire(includeDir: string = protoFolder): Wire {
  const definitions = loadSync(
    ['whetstone/analyser/v1/analyser.proto', 'whetstone/indexer/v1/indexer.proto', 'whetstone/status/v1/status.proto'],
    // `defaults` also gives empty arrays and maps; a field marked `optional` stays absent when it was not set.
    { includeDirs: [includeDir], longs: Number, enums: String, defaults: true },
  );
  const enumNames = createEnumNames(definitions);
  const service = (name: string) => serviceOf(definitions, name, enumNames);
  return {
    analyser: service('whetstone.analyser.v1.AnalyserService') as Wire['analyser'],
    indexer: service('whetstone.indexer.v1.IndexerService') as Wire['indexer'],
    status: service('whetstone.status.v1.StatusService') as Wire['status'],
  };
}

function serviceOf(
  definitions: PackageDefinition,
  name: string,
  enumNames: (messageName: string) => EnumNames,
): unknown {
  const packageName = name.slice(0, name.lastIndexOf('.'));
  const methods = Object.entries(definitions[name] as Record<string, MethodDefinition<object, object>>);
  return Object.fromEntries(
    methods.map(([method, definition]) => {
      const request = enumNames(`${packageName}.${messageNameOf(definition.requestType)}`);
      const result = enumNames(`${packageName}.${messageNameOf(definition.responseType)}`);
      const typed: MethodDefinition<object, object> = {
        ...definition,
        requestSerialize: (message) => definition.requestSerialize(request.toProto(message)),
        requestDeserialize: (bytes) => request.fromProto(definition.requestDeserialize(bytes)),
        responseSerialize: (message) => definition.responseSerialize(result.toProto(message)),
        responseDeserialize: (bytes) => result.fromProto(definition.responseDeserialize(bytes)),
      };
      return [method, typed];
    }),
  );
}

function messageNameOf({ type }: { type: object }): string {
  return (type as { name: string }).name;
}
