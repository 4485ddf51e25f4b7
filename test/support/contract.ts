/** The bodies as a caller knows them. Duplicated on purpose: the suites import nothing from the source. */

export interface Turn {
  turn: number;
  /** Usually text; any JSON value but null is accepted. */
  inputs: unknown;
  decision: unknown;
  memory?: unknown;
  result?: unknown;
}

export interface Upload {
  tenant_id: string;
  query: string;
  turns: Turn[];
  success?: unknown;
  agent_type?: string | null;
  timestamp?: string | null;
  metadata?: Record<string, unknown> | null;
  [unknown: string]: unknown;
}

export interface Acknowledgement {
  status: string;
  message: string;
  tenant_id: string;
  job_id: string;
}

export interface BatchResult {
  lines: number;
  accepted: number;
  results: LineResult[];
}

export interface LineResult {
  line: number;
  status: 'accepted' | 'invalid' | 'forbidden' | 'failed';
  job_id?: string;
  detail?: Problem[];
  error?: string;
}

export interface AgentInput {
  tenant_id: string;
  input_text: string;
  context?: Record<string, string> | null;
  agent_type?: string | null;
  [unknown: string]: unknown;
}

export interface Recommendation {
  id: string;
  kind: string;
  title: string;
  text: string;
  similarity: number;
  support: number;
  source_job_ids: string[];
}

export interface EnhancedResponse {
  response: string;
  metadata: {
    confidence_score: number;
    agent_type?: string | null;
    enhancement_id: string;
    recommendations: Recommendation[];
    explanation?: Candidate[];
    holdout?: true;
  };
}

export interface JobRecord {
  status: 'processing' | 'completed' | 'failed';
  message: string;
  job_id: string;
  created_at?: string;
  started_at?: string;
  completed_at?: string;
  insights_stored?: number;
  outcome?: 'stored' | 'nothing_to_learn' | 'deleted';
  failed_at?: string;
  error_message?: string;
  note?: string;
}

export interface Lesson {
  id: string;
  kind: string;
  title: string;
  text: string;
  applies_when?: string;
  example?: string;
  agent_type?: string;
  state: string;
  origin: string;
  support: number;
  helped: number;
  harmed: number;
  first_seen: string;
  last_seen: string;
}

export interface LessonRun {
  job_id: string;
  task: string;
  accepted_at: string;
  outcome: string;
  runs: number;
  steps: { turn: number; action: string; outcome: string }[];
}

export interface LessonDetails extends Lesson {
  evidence: LessonRun[];
  against: LessonRun[];
  decisions: { state?: string; text?: string; note?: string; key_id: string; decided_at: string }[];
  votes: { date: string; helped: number; harmed: number }[];
  notes: { given_at: string; success: boolean; note: string }[];
}

/** Of one lesson that was considered for an answer. */
export interface Candidate {
  id: string;
  told: boolean;
  reason: string;
  because: string;
}

export interface DeleteParameters {
  tenant_id: string;
  intent: string;
  similarity_threshold?: number | string;
  dry_run?: boolean | string;
}

export interface DeleteResult {
  deleted_count: number;
  status: string;
  remaining_count?: number;
  matches?: { id: string; intent: string; similarity: number }[];
}

export interface EraseResult {
  deleted_count: number;
  status: string;
}

export interface ErrorBody {
  error: string;
  message: string;
  hint?: string;
  request_id: string;
}

export interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface ValidationErrorBody {
  detail: Problem[];
}

/** Besides the request id, and a hint where the key is missing. */
export const invalidApiKey = {
  error: 'invalid_api_key',
  message: 'The provided API key is invalid or has been revoked',
};

export const firstDelimiter = '--- Recommendations from past runs ---';
export const lastDelimiter = '--- End of recommendations ---';
