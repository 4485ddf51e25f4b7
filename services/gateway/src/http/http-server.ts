import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface HttpServerOptions {
  /** A client must have sent its whole request within this time. */
  requestTimeoutMs: number;
  /** Called for every connection that was answered before it sent a complete request. */
  onTurnedAway(status: number, requestId: string, error: Error): void;
}

/** Large enough for a long intent in a query string. */
const maxHeaderBytes = 32 * 1024;
const keepAliveMs = 65_000;

export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { requestTimeoutMs, onTurnedAway } = options;
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 30_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5000),
    keepAliveTimeout: keepAliveMs,
    // Node would answer 400 without a body, and nothing here depends on the host.
    requireHostHeader: false,
  });
  server.on('request', listener);
  // `Expect: 100-continue` is answered only once the body is wanted.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => turnAway(error, socket, onTurnedAway));
  return server;
}

const refusals: Record<string, [status: string, error: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    `URL and headers must not exceed ${maxHeaderBytes} bytes`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive'],
};

/** Answers malformed and stalled requests in JSON, if the socket is still writable. */
function turnAway(error: NodeJS.ErrnoException, socket: Duplex, onTurnedAway: HttpServerOptions['onTurnedAway']): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'bad_request',
    'Malformed HTTP request',
  ];
  const requestId = randomUUID();
  const body = JSON.stringify({ error: code, message, request_id: requestId });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  onTurnedAway(Number.parseInt(status, 10), requestId, error);
}

/** Tracks unfinished answers, so that a stop waits for them alone. */
export interface OpenAnswers {
  add(res: ServerResponse): void;
  delete(res: ServerResponse): void;
  watch(server: Server): void;
  /** From now on every connection closes after its answer. */
  drain(): void;
  /** Closes idle connections now, and each of the others after its answer. */
  closeConnections(): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isClosing = false;

  return {
    add(res) {
      if (isClosing) res.setHeader('Connection', 'close');
      open.add(res);
    },
    delete: (res) => open.delete(res),
    watch(server) {
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
    },
    drain() {
      isClosing = true;
    },
    closeConnections() {
      isClosing = true;
      const busy = new Set([...open].map(({ socket }) => socket));
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
      for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}
