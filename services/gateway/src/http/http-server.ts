import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';

interface HttpServerOptions {
  /** A client must have sent its whole request within this time. */
  requestTimeoutMs: number;
  /** Called for every connection that was answered before it sent a complete request. */
  onTurnedAway(status: number, requestId: string, reason: string | undefined): void;
}

/** Large enough for a long intent in a query string. */
const maxHeaderBytes = 32 * 1024;
/** A client that sends nothing, or half a header, is turned away after this. */
const headersTimeoutMs = 10_000;
/** Longer than load balancers keep idle connections, so that they never send into one that closes. */
const keepAliveMs = 65_000;
/** Requests that a client may send ahead of their answers; the next one closes the connection. */
const maxPipelined = 16;
/** How long the other side may go on sending after its last answer. */
const patienceMs = 5000;

export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const { requestTimeoutMs, onTurnedAway } = options;
  const server = createServer({
    ...classesOf(app),
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, headersTimeoutMs),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 2000),
    keepAliveTimeout: keepAliveMs,
    // Node would answer 400 without a body, and nothing here depends on the host.
    requireHostHeader: false,
  });
  /** The last request of each connection, which pipelining may have sent before earlier ones were answered. */
  const lastAnswers = new WeakMap<Duplex, ServerResponse>();
  const unanswered = new WeakMap<Duplex, number>();
  const queue = queueOfAnswers();

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    const waiting = unanswered.get(socket) ?? 0;
    // Requests behind the one that ends the connection are not served, and no more of them are read.
    if (socket.writableEnded || waiting >= maxPipelined) {
      socket.pause();
      return;
    }
    unanswered.set(socket, waiting + 1);
    lastAnswers.set(socket, res);
    if (!res.socket) queue(socket, res);
    if (waiting + 1 === maxPipelined) endAfter(res, socket);
    else res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    res.once('finish', () => limitRest(req));
    app(req, res);
  };
  server.on('request', onRequest);
  // `Expect: 100-continue` is answered only once the body is wanted.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('connection', (socket) => {
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => closeGently(socket);
  });
  server.on('connect', (_req, socket) => turnAway(socket, noTunnel));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else onMalformed(socket, refusals[error.code ?? ''] ?? malformed, error.code);
  });
  return server;

  /** Nobody gets two answers to one request, and no answer overtakes an earlier one. */
  function onMalformed(socket: Duplex, refusal: RawRefusal, reason: string | undefined): void {
    const last = lastAnswers.get(socket);
    if (!last || (last.writableFinished && last.req.complete)) turnAway(socket, refusal, reason);
    else if (last.headersSent) closeAfter(last, socket);
    else if (last.req.complete) last.setHeader('Connection', 'close');
    else {
      const { head, body } = rawAnswer(refusal);
      last.writeHead(refusal.status, [...head, 'Connection', 'close']).end(body);
    }
  }

  /** Nothing is discarded before closing: what was sent ahead would be parsed, thousands of requests while everyone waits. */
  function endAfter(res: ServerResponse, socket: Socket): void {
    res.setHeader('Connection', 'close');
    socket.destroySoon = Socket.prototype.destroySoon;
  }

  function turnAway(socket: Duplex, refusal: RawRefusal, reason?: string): void {
    const requestId = writeRefusal(socket, refusal);
    closeGently(socket);
    onTurnedAway(refusal.status, requestId, reason);
  }
}

/**
 * Classes with the prototypes that Express gives each request and answer. On objects that have them from the start that
 * changes nothing; on others it costs V8 more time than all of the routing.
 */
function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Of extends IncomingMessage> extends ServerResponse<Of> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

export interface RawRefusal {
  status: number;
  phrase: string;
  error: string;
  message: string;
  headers?: string[];
}

const malformed: RawRefusal = {
  status: 400,
  phrase: 'Bad Request',
  error: 'bad_request',
  message: 'Malformed HTTP request',
};

const noTunnel: RawRefusal = {
  status: 405,
  phrase: 'Method Not Allowed',
  error: 'method_not_allowed',
  message: 'This server is not a proxy; CONNECT is not supported',
  headers: ['Allow', 'DELETE, GET, HEAD, POST'],
};

const refusals: Record<string, RawRefusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    error: 'headers_too_large',
    message: `URL and headers must not exceed ${maxHeaderBytes} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    error: 'request_timeout',
    message: 'The request took too long to arrive',
  },
};

/** Answers in JSON what never became a request. Returns the id of the answer. */
export function writeRefusal(socket: Duplex, refusal: RawRefusal): string {
  const { head, body, requestId } = rawAnswer(refusal);
  const lines = [`HTTP/1.1 ${refusal.status} ${refusal.phrase}`, 'Connection: close'];
  for (let at = 0; at < head.length; at += 2) lines.push(`${head[at]}: ${head[at + 1]}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return requestId;
}

/** The headers are alternating names and values. */
function rawAnswer({ error, message, headers = [] }: RawRefusal) {
  const requestId = randomUUID();
  const body = JSON.stringify({ error, message, request_id: requestId });
  const head = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'X-Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    ...headers,
  ];
  return { head, body, requestId };
}

/**
 * For answers that pipelining has queued behind another one: when a connection closes, Node emits `close` only on the answer
 * under way.
 */
function queueOfAnswers() {
  const queued = new WeakMap<Duplex, Set<ServerResponse>>();
  return (socket: Duplex, res: ServerResponse): void => {
    const behind = queued.get(socket) ?? new Set();
    if (!queued.has(socket)) {
      queued.set(socket, behind);
      socket.once('close', () => {
        for (const each of behind) if (!each.socket) each.destroy().emit('close');
      });
    }
    behind.add(res);
    res.once('close', () => behind.delete(res));
  };
}

/** A client may send the rest of a request that was answered early. If it stalls, its connection closes. */
function limitRest(req: IncomingMessage): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, patienceMs).unref();
  req.once('close', () => clearTimeout(timer));
}

function closeAfter(res: ServerResponse, socket: Duplex): void {
  if (res.writableFinished) closeGently(socket);
  else res.once('finish', () => closeGently(socket));
}

/**
 * Ends our side, and discards what the client still sends until it ends its side too or patience is over. Closing at once
 * would reset the connection, and a client that still sends could lose the answer.
 */
function closeGently(socket: Duplex): void {
  if (socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
  const destroyOnceSent = () => Socket.prototype.destroySoon.call(socket);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  if (socket.readableEnded) destroyOnceSent();
  else socket.once('end', destroyOnceSent).resume();
}
