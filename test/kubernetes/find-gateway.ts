import { eventually } from '../support/eventually.js';
import type { Kubectl } from './kubectl.js';

interface Service {
  spec: { clusterIP: string; ports: { name: string; port: number }[] };
}

/** The gateway's Service as it is reached from here: at the address that was told, or at its own in the cluster. */
export async function findGateway(kubectl: Kubectl, fullname: string, told: string): Promise<string> {
  const { spec } = await kubectl.json<Service>('get', 'service', `${fullname}-gateway`);
  const port = spec.ports.find(({ name }) => name === 'http')?.port;
  const url = told || `http://${spec.clusterIP}:${port}`;
  const answers = async () => {
    const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    return answer?.ok || undefined;
  };
  await eventually(answers, { what: 'it answers', withinMs: 20_000, everyMs: 500 }).catch(() => {
    throw new Error(
      told
        ? `Nobody answers at ${url}`
        : `${url} is not reached from here. Run this where the addresses of Services are, or say with --url where the gateway's Service is`,
    );
  });
  return url;
}
