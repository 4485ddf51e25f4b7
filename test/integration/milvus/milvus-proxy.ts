import {
  Client,
  credentials,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  type status,
} from '@grpc/grpc-js';
import { getGRPCService, LOADER_OPTIONS } from '@zilliz/milvus2-sdk-node';

/** A request that went through. */
export interface SeenRequest {
  method: string;
  message: Record<string, unknown>;
  metadata: Metadata;
  /** The caller's deadline; infinite without one. */
  deadlineMs: number;
}

/** What happens to a request instead of reaching Milvus. */
export type Fate = { fail: status; details?: string } | { answer: Uint8Array } | 'nothing' | undefined;

export interface MilvusProxy {
  readonly address: string;
  readonly seen: SeenRequest[];
  /** Decides about each request; undefined lets it through. */
  decide: (request: SeenRequest) => Fate;
  close(): void;
}

export interface ProxyOptions {
  target: string;
  /** Any free port by default. */
  port?: number;
  /** As PEM. */
  tls?: { key: string; cert: string };
}

const methods = getGRPCService({ serviceName: 'milvus.proto.milvus.MilvusService' } as never, LOADER_OPTIONS).service;
const asItIs = (bytes: Buffer) => bytes;

/** A proxy in front of a real Milvus that records requests and can fail, drop or answer them. */
export async function startMilvusProxy({ target, port = 0, tls }: ProxyOptions): Promise<MilvusProxy> {
  const client = new Client(target, credentials.createInsecure());
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  const proxy = { seen: [] as SeenRequest[], decide: (() => undefined) as MilvusProxy['decide'] };

  const service: Record<string, unknown> = {};
  const handlers: Record<string, unknown> = {};
  for (const [method, definition] of Object.entries(methods)) {
    const bytes = { requestSerialize: asItIs, requestDeserialize: asItIs };
    service[method] = { ...definition, ...bytes, responseSerialize: asItIs, responseDeserialize: asItIs };
    handlers[method] = (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
      const message = definition.requestDeserialize(call.request) as unknown as Record<string, unknown>;
      const deadlineMs = new Date(call.getDeadline()).getTime();
      const request: SeenRequest = { method, message, metadata: call.metadata, deadlineMs };
      proxy.seen.push(request);
      const fate = proxy.decide(request);
      if (fate === 'nothing') return;
      if (fate && 'fail' in fate) return reply({ code: fate.fail, details: fate.details ?? 'so it was decided' });
      if (fate) return reply(null, Buffer.from(fate.answer));
      client.makeUnaryRequest(definition.path, asItIs, asItIs, call.request, call.metadata, (error, answer) =>
        reply(error, answer ?? null),
      );
    };
  }
  server.addService(service as ServiceDefinition, handlers as never);
  const secured =
    tls &&
    ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }]);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, secured ?? ServerCredentials.createInsecure(), (error, own) =>
      error ? reject(error) : resolve(own),
    );
  });
  return Object.assign(proxy, {
    address: `127.0.0.1:${bound}`,
    close() {
      server.forceShutdown();
      client.close();
    },
  });
}
