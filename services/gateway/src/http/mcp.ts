import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import {
  apiVersion,
  type EnhancedResponse,
  isMcpToolName,
  listMcpTools,
  type McpToolName,
  mayCall,
  mcpInstructions,
  mcpTools,
  type Problem,
} from '@whetstone/contracts';
import type { Logger } from '@whetstone/platform';
import type { Request as HttpRequest } from 'express';
import type { EnhanceTask } from '../domain/enhance-task.js';
import type { GiveFeedback } from '../domain/give-feedback.js';
import type { ManageLessons } from '../domain/manage-lessons.js';
import type { SubmitUpload } from '../domain/submit-upload.js';
import { type Answer, answerTo, type Failure } from './answer.js';
import type { ToolCall } from './bodies/mcp-message.js';
import type { ReadBodies, ReadUpload } from './bodies/read-bodies.js';
import { callerOf } from './exchange.js';
import { keysIn } from './keys-in.js';
import { refuseCursor, requestOf } from './lesson-operations.js';
import { callOf, type Endpoint, type WorkContext } from './operation.js';
import { partOf } from './paths.js';
import { foreignOrigin, invalid, invalidApiKey, outsideTool, Refusal } from './refusals.js';

/** Not in /openapi.json: the protocol describes itself. */
export const mcpPaths = ['/mcp', '/mcp/{collection}'] as const;
export type McpPath = (typeof mcpPaths)[number];

interface McpOptions {
  bodies: ReadBodies;
  enhanceTask: EnhanceTask;
  submitUpload: SubmitUpload;
  giveFeedback: GiveFeedback;
  manageLessons: Pick<ManageLessons, 'list'>;
  timeoutMs: number;
  logger: Logger;
}

/** What a tool needs of the request that calls it. */
interface Request extends WorkContext {
  call: ToolCall<ReadUpload> | undefined;
}

const failures: Record<McpToolName, Failure> = {
  get_recommendations: { error: 'enhance_failed', message: 'No recommendations could be made; carry on without' },
  record_run: { error: 'queueing_failed', message: 'The run could not be recorded' },
  give_feedback: { error: 'feedback_failed', message: 'The outcome could not be stored' },
  search_lessons: { error: 'lessons_failed', message: 'The lessons could not be listed' },
};

/**
 * Answers MCP over streamable HTTP. Each request is one message and needs nothing of an earlier one, so that any replica can answer it and
 * each is limited, counted and traced like a REST operation. What is wrong with the request itself is refused as there; what is wrong with the
 * call of a tool is told to the model.
 */
export function createMcpEndpoint(options: McpOptions): (path: McpPath) => Endpoint {
  const tools = createTools(options);
  // A subscription would hold a connection for news that never come.
  const modern = createMcpHandler(({ authInfo }) => serverFor(requestIn(authInfo)), {
    legacy: 'reject',
    maxSubscriptions: 0,
    onerror: (err) => options.logger.debug({ err }, 'Refused an MCP message'),
  });

  return (path) => ({
    hasBody: true,
    timeoutMs: options.timeoutMs,
    failure: { error: 'internal_error', message: 'The call did not finish' },
    async prepare(req, res) {
      const origin = validateOriginHeader(req.headers.origin, localhostAllowedOrigins());
      if (!origin.ok) throw foreignOrigin();
      const tenantId = collectionOf(req, path);
      // The session of a browser is for the console only.
      if (callerOf(res).session) throw invalidApiKey('missing');
      const read = await options.bodies.mcp(req, res, tenantId).catch(unlessNotJson);
      if (!read) return async () => refusal(ProtocolErrorCode.ParseError, 'The body is not valid JSON');
      const { message, call } = read;
      if (typeof message !== 'object' || message === null || Array.isArray(message)) {
        return async () => refusal(ProtocolErrorCode.InvalidRequest, 'Send one JSON-RPC message per request');
      }
      return async (context) => answered(await respond(headersOf(req), message, { ...context, call }));
    },
  });

  async function respond(headers: [string, string][], message: object, request: Request): Promise<Response> {
    const http = new globalThis.Request('http://localhost/mcp', { method: 'POST', headers });
    const authInfo = {
      token: '',
      clientId: request.caller.keyId,
      scopes: [...request.caller.scopes],
      extra: { request },
    };
    const given = { parsedBody: message, authInfo };
    if (!(await isLegacyRequest(http, message))) return modern.fetch(http, given);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = serverFor(request);
    await server.connect(transport);
    try {
      return await transport.handleRequest(http, given);
    } finally {
      await server.close();
    }
  }

  function serverFor(request: Request): Server {
    const { scopes } = request.caller;
    const server = new Server(
      { name: 'whetstone', title: 'Whetstone', version: apiVersion },
      { capabilities: { tools: {} }, instructions: mcpInstructions },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listMcpTools(scopes) }));
    server.setRequestHandler('tools/call', ({ params: { name } }) => {
      if (!isMcpToolName(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No such tool: ${name}`);
      return callTool(name, request);
    });
    return server;
  }

  async function callTool(name: McpToolName, request: Request): Promise<CallToolResult> {
    const { caller, exchange, call } = request;
    try {
      if (!mayCall(name, caller.scopes)) throw outsideTool(name, mcpTools[name].scopes, caller.scopes);
      return { content: [{ type: 'text', text: await tools(call, request) }] };
    } catch (error) {
      const { status, body } = answerTo(error, failures[name], exchange.requestId);
      if (status === 500) request.onFailure(error);
      exchange.countsAs = status;
      return { isError: true, content: [{ type: 'text', text: told(body as ErrorBody) }] };
    }
  }
}

/** Calls the tools: each is an operation of REST with words around it. */
function createTools({ enhanceTask, submitUpload, giveFeedback, manageLessons }: McpOptions) {
  return async (call: ToolCall<ReadUpload> | undefined, request: Request): Promise<string> => {
    const { caller, exchange } = request;
    switch (call?.name) {
      case 'get_recommendations': {
        const answer = await enhanceTask(caller, call.input, callOf(exchange));
        exchange.used = { answers: 1, emptyAnswers: answer.metadata.recommendations.length === 0 ? 1 : 0 };
        return advice(answer);
      }
      case 'record_run': {
        const { jobId } = await submitUpload(caller, call.upload);
        exchange.jobId = jobId;
        exchange.used = { uploads: 1, bytes: exchange.bodyBytes ?? 0 };
        return `The run is recorded as ${jobId}. Its lessons come with later recommendations.`;
      }
      case 'give_feedback':
        return (await giveFeedback(caller, call.feedback, exchange.arrivedAt, callOf(exchange))).status;
      case 'search_lessons': {
        const { query } = call;
        const found = await manageLessons.list(requestOf(query.tenantId, request), query).catch(refuseCursor);
        return JSON.stringify(found);
      }
      default:
        throw invalid(call?.problems ?? []);
    }
  };
}

function advice({ response, metadata }: EnhancedResponse): string {
  const isEmpty = metadata.recommendations.length === 0;
  const text = isEmpty ? 'Nothing learnt so far fits this task. Work on it as usual.' : response;
  return `${text}\n\nenhancement_id: ${metadata.enhancement_id}`;
}

interface ErrorBody {
  message?: string;
  detail?: Problem[];
}

function told({ message, detail }: ErrorBody): string {
  if (!detail) return message ?? '';
  const lines = detail.map(({ loc, msg }) => `- ${loc.length > 0 ? `${loc.join('.')}: ` : ''}${msg}`);
  return ['The arguments are not valid:', ...lines].join('\n');
}

/** The collection in the path; without one, the default collection, which every key of the account names. */
function collectionOf(req: HttpRequest, path: McpPath): string {
  if (path === '/mcp/{collection}') return partOf(req.path, path, 'collection');
  const [key = ''] = keysIn(req);
  return key;
}

/** The headers that MCP defines. Never the key. */
function headersOf({ headers }: HttpRequest): [string, string][] {
  return Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(entry[0]),
  );
}

async function answered(response: Response): Promise<Answer> {
  return { status: response.status, body: undefined, parts: [new Uint8Array(await response.arrayBuffer())] };
}

function refusal(code: ProtocolErrorCode, message: string): Answer {
  return { status: 400, body: { jsonrpc: '2.0', id: null, error: { code, message } } };
}

function unlessNotJson(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 422) return undefined;
  throw error;
}

function requestIn(authInfo: AuthInfo | undefined): Request {
  return authInfo?.extra?.['request'] as Request;
}
