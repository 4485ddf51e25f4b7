import type { BatchResult } from '../batch-result.js';
import type { ApiKey, IssuedKeyAnswer, KeyList, KeyRequestBody } from '../keys.js';
import { problem } from '../problems.js';
import type { AgentInput, AgentKnowledgeUpload } from '../requests.js';
import type {
  DeleteResult,
  EnhancedResponse,
  EraseResult,
  JobRecord,
  ServiceStatus,
  StoreAcknowledgement,
} from '../responses.js';

const jobId = 'job_0033jz8hx8q3z00g8w1pc2vtkd5e6m7n8p9q0r1s2t3v4w5x6y7z8a9';
const task = 'Find all .log files larger than 10 MB under /var and delete them';
const recommendation =
  "Let find do the selecting and the deleting in one pass.\n   When: deleting files chosen by size or age.\n   Example: find /var -name '*.log' -size +10M -delete";

const serviceStatus: ServiceStatus = { status: 'ok', service: 'whetstone', version: '1.0.0' };

const agentInput: AgentInput = {
  tenant_id: 'ops-bot',
  input_text: task,
  context: { host: 'debian 12' },
  agent_type: 'shell',
};

const enhancedResponse: EnhancedResponse = {
  response: [
    task,
    '',
    '--- Recommendations from past runs ---',
    '1. [what worked · 3 runs] Let find do the selecting and the deleting in one pass.',
    '   When: deleting files chosen by size or age.',
    "   Example: find /var -name '*.log' -size +10M -delete",
    '--- End of recommendations ---',
  ].join('\n'),
  metadata: {
    confidence_score: 0.82,
    agent_type: 'shell',
    enhancement_id: 'enh_AbCdEfGhIjKlMnOpQrStUvWx',
    recommendations: [
      {
        id: 'q7Vx2LmZ0aTfK9_c',
        kind: 'strategy',
        title: 'Let find select and delete in one pass',
        text: recommendation,
        similarity: 0.91,
        support: 3,
        source_job_ids: [jobId],
      },
    ],
  },
};

const explained: EnhancedResponse = {
  ...enhancedResponse,
  metadata: {
    ...enhancedResponse.metadata,
    explanation: [
      {
        id: 'q7Vx2LmZ0aTfK9_c',
        kind: 'strategy',
        title: 'Let find select and delete in one pass',
        task,
        similarity: 0.91,
        support: 3,
        told: true,
        reason: 'told',
        because: 'It is relevant, and nothing speaks against it.',
      },
      {
        id: 'Zt3bW8yRk1NfQe0-',
        kind: 'strategy',
        title: 'What worked: apt-get clean',
        task: 'Free disk space on the build machine',
        similarity: 0.55,
        support: 1,
        told: false,
        reason: 'below_floor',
        because: 'Its task is not near enough.',
      },
    ],
  },
};

const nothingToSay: EnhancedResponse = {
  response: task,
  metadata: {
    confidence_score: 0,
    agent_type: null,
    enhancement_id: 'enh_ZyXwVuTsRqPoNmLkJiHgFeDc',
    recommendations: [],
  },
};

const agentKnowledgeUpload: AgentKnowledgeUpload = {
  tenant_id: 'ops-bot',
  query: task,
  turns: [
    {
      turn: 1,
      inputs: 'Shell on debian 12',
      decision: 'ls /var/*.log | xargs rm',
      memory: null,
      result: "ls: cannot access '/var/*.log': No such file or directory",
    },
    {
      turn: 2,
      inputs: 'No such file or directory',
      decision: "find /var -name '*.log' -size +10M -delete",
      result: '',
    },
  ],
  success: true,
  agent_type: 'shell',
  timestamp: '2026-03-05T18:15:37Z',
  metadata: { run: 42, enhancement_id: 'enh_AbCdEfGhIjKlMnOpQrStUvWx' },
};

const acknowledgement: StoreAcknowledgement = {
  status: 'accepted',
  message: 'Knowledge accepted and queued for processing',
  tenant_id: 'ops-bot',
  job_id: jobId,
};

/** Two runs, one of them without its turns. */
const batch = [agentKnowledgeUpload, { tenant_id: 'ops-bot', query: task }]
  .map((run) => JSON.stringify(run))
  .join('\n');

const batchResult: BatchResult = {
  lines: 2,
  accepted: 1,
  results: [
    { line: 1, status: 'accepted', job_id: jobId },
    { line: 2, status: 'invalid', detail: [problem('missing', ['body', 'turns'])] },
  ],
};

const textAttribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const call = { command: "find /var/log -name '*.log' -size +10M -print" };
const traces = {
  resourceSpans: [
    {
      resource: { attributes: [textAttribute('whetstone.tenant_id', 'ops-bot')] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b173',
              parentSpanId: 'eee19b7ec3c1b174',
              name: 'execute_tool run_shell',
              startTimeUnixNano: '1772734537000000000',
              endTimeUnixNano: '1772734538000000000',
              attributes: [
                textAttribute('gen_ai.operation.name', 'execute_tool'),
                textAttribute('gen_ai.tool.name', 'run_shell'),
                textAttribute('gen_ai.tool.call.arguments', JSON.stringify(call)),
                textAttribute('gen_ai.tool.call.result', '/var/log/app.log'),
              ],
            },
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'invoke_agent ops-bot',
              startTimeUnixNano: '1772734536000000000',
              endTimeUnixNano: '1772734539000000000',
              attributes: [
                textAttribute('gen_ai.operation.name', 'invoke_agent'),
                textAttribute('gen_ai.agent.name', 'ops-bot'),
                textAttribute(
                  'gen_ai.input.messages',
                  JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Find log files over 10 MB' }] }]),
                ),
              ],
            },
          ],
        },
      ],
    },
  ],
};

const tracesAnswer = {
  partialSuccess: {
    rejectedSpans: 2,
    errorMessage:
      '2 spans of models and tools came without content; let the emitter capture it, for example with ' +
      'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true',
  },
};

const processingJob: JobRecord = {
  status: 'processing',
  message: 'Knowledge is being processed',
  job_id: jobId,
  created_at: '2026-03-05T18:15:37.903173',
};

const completedJob: JobRecord = {
  status: 'completed',
  message: 'Knowledge processed and stored',
  job_id: jobId,
  created_at: '2026-03-05T18:15:37.903173',
  started_at: '2026-03-05T18:15:37.911042',
  completed_at: '2026-03-05T18:15:38.020517',
  insights_stored: 2,
  outcome: 'stored',
};

const failure = {
  status: 'failed',
  message: 'Processing failed',
  job_id: jobId,
  created_at: '2026-03-05T18:15:37.903173',
  started_at: '2026-03-05T18:15:37.911042',
  failed_at: '2026-03-05T18:15:41.125800',
  error_message: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  note: 'Please pass error_message and job_id to the operators of this service',
} as const;
const failedJob: JobRecord = { ...failure, [jobId]: failure };

const deleted: DeleteResult = { deleted_count: 5, status: 'Successfully deleted matching documents' };
const dryRun: DeleteResult = {
  deleted_count: 2,
  status: 'Dry run: nothing was deleted',
  remaining_count: 7,
  matches: [
    { id: 'c0a1/job_2/1/1', intent: 'Remove temporary files older than a week', similarity: 0.58 },
    { id: 'c0a1/job_1/1/1', intent: task, similarity: 0.97 },
  ],
};

const erased: EraseResult = { deleted_count: 24, status: 'Successfully erased the collection' };

const keyRequest: KeyRequestBody = { scopes: ['ask', 'record'], expires_in_days: 90, reason: 'shop agents' };
const keyOnTrial: KeyRequestBody = { scopes: ['ask'], expires_at: '2027-01-01T00:00:00Z', trust: 'low' };
const apiKey: ApiKey = {
  key_id: '0a1b2c3d4e5f6g7h',
  scopes: ['ask', 'record'],
  trust: 'normal',
  status: 'active',
  issued_at: '2026-03-05T18:15:37.903173',
  approved_by: '8j9k0m1n2p3q4r5s',
  reason: 'shop agents',
  expires_at: '2026-06-03T18:15:37.903173',
};
// Not a key: its secret is no secret.
const issuedKey: IssuedKeyAnswer = { key: `wst_${apiKey.key_id}_…`, ...apiKey };
const keyList: KeyList = { keys: [apiKey] };
const revokedKey: ApiKey = {
  ...apiKey,
  status: 'revoked',
  revoked_at: '2026-03-09T09:30:00.000000',
  effective_at: '2026-03-09T09:30:00.000000',
  revocation_reason: 'leaked in a build log',
  revoked_by: apiKey.approved_by,
};

export const exampleJobId = jobId;
export const exampleKeyId = apiKey.key_id;

/** What requests and successes look like, by operation. */
export const examples = {
  serviceStatus: { ok: serviceStatus },
  agentInput: { task: agentInput },
  enhancedResponse: { recommendations: enhancedResponse, nothing_relevant: nothingToSay, explained },
  agentKnowledgeUpload: { success: agentKnowledgeUpload },
  acknowledgement: { accepted: acknowledgement },
  batch: { two_runs: batch },
  batchResult: { one_accepted: batchResult },
  traces: { one_run: traces },
  tracesAnswer: { all: {}, without_content: tracesAnswer },
  jobRecord: { processing: processingJob, completed: completedJob, failed: failedJob },
  deleteResult: { deleted, dry_run: dryRun },
  eraseResult: { erased },
  keyRequest: { agent: keyRequest, on_trial: keyOnTrial },
  issuedKey: { issued: issuedKey },
  keyList: { keys: keyList },
  revokedKey: { revoked: revokedKey },
};
