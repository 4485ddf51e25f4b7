import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 if the server closed the connection without an answer. */
  status: number;
  headers: Map<string, string>;
  text: string;
}

export interface RawOptions {
  /** Without a complete answer by then, the request counts as hanging. */
  timeoutMs?: number;
  /** Reads the answer only after sending everything, as simple clients do. */
  readsAfterwards?: boolean;
  /** Called once connected; writes what HTTP clients refuse to write. */
  send(write: (bytes: string | Uint8Array) => void, end: () => void): void | Promise<void>;
}

/** Talks to the server byte by byte. Send `Connection: close`: the answer is everything until the end. */
export function rawExchange(
  baseUrl: string,
  { send, readsAfterwards = false, timeoutMs = 60_000 }: RawOptions,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 80), allowHalfOpen: true });
    const received: Buffer[] = [];
    let settled = false;
    const settle = (action: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      socket.destroy();
      action();
    };
    const finish = () => settle(() => resolve(parseAnswer(Buffer.concat(received))));
    const timer = setTimeout(() => {
      const soFar = Buffer.concat(received);
      if (isComplete(soFar)) return finish();
      settle(() =>
        reject(new Error(`No complete answer within ${timeoutMs} ms; so far: ${soFar.toString('latin1', 0, 200)}`)),
      );
    }, timeoutMs);
    socket.on('data', (bytes) => {
      received.push(bytes);
      if (isComplete(Buffer.concat(received))) finish();
    });
    socket.on('end', finish);
    // A server may answer and reset the connection while we still write.
    socket.on('error', finish);
    socket.on('close', finish);
    socket.once('connect', () => {
      const write = (bytes: string | Uint8Array) => {
        if (!socket.destroyed) socket.write(bytes);
      };
      if (readsAfterwards) socket.pause();
      Promise.resolve(send(write, () => socket.end())).then(
        () => socket.resume(),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  });
}

function isComplete(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const head = bytes.toString('latin1', 0, headEnd);
  if (/^HTTP\/1\.1 100 /.test(head)) return isComplete(bytes.subarray(headEnd + 4));
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= headEnd + 4 + Number(length);
  return /^transfer-encoding: *chunked/im.test(head) && bytes.toString('latin1').endsWith('0\r\n\r\n');
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return { status: 0, headers: new Map(), text: '' };
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(statusLine?.split(' ')[1]);
  const rest = bytes.subarray(headEnd + 4);
  if (status === 100) return parseAnswer(rest);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const chunked = headers.get('transfer-encoding') === 'chunked';
  return { status, headers, text: (chunked ? dechunk(rest) : rest).toString('utf8') };
}

/** Consecutive answers on one connection, each with a content length. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (let headEnd = bytes.indexOf('\r\n\r\n'); headEnd >= 0; headEnd = bytes.indexOf('\r\n\r\n', at)) {
    const { headers } = parseAnswer(bytes.subarray(at, headEnd + 4));
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    answers.push(parseAnswer(bytes.subarray(at, end)));
    at = end;
  }
  return answers;
}

function dechunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
