import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

// biome-ignore lint/suspicious/noExplicitAny: what comes back has as many shapes as there are questions
type Answer = any;

/** Asks a server about itself, as command-line clients do. */
export async function reflect(port: number, question: object): Promise<Answer> {
  const main = createRequire(import.meta.url).resolve('@grpc/reflection');
  const proto = join(dirname(main), '../proto/grpc/reflection/v1/reflection.proto');
  const definitions = loadPackageDefinition(loadSync(proto, { defaults: false }));
  const { ServerReflection } = (definitions['grpc'] as Answer).reflection.v1;
  const client: Client & Answer = new ServerReflection(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await new Promise((resolve, reject) => {
      const stream = client.ServerReflectionInfo();
      stream.on('data', (answer: Answer) => {
        resolve(answer);
        stream.end();
      });
      stream.on('error', reject);
      stream.write(question);
    });
  } finally {
    client.close();
  }
}
