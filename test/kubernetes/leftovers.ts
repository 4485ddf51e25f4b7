import { runCommand } from './kubectl.js';

/** Of every kind that the cluster has in a namespace, but for what Kubernetes writes about others: `kind/name`. */
export async function objectsIn(namespace: string): Promise<string[]> {
  const listed = await runCommand('kubectl', ['api-resources', '--verbs=list', '--namespaced', '--output=name']);
  const kinds = listed.split('\n').filter((kind) => kind !== '' && !/^events|metrics\.k8s\.io$/.test(kind));
  const names = await runCommand('kubectl', [
    '--namespace',
    namespace,
    'get',
    kinds.join(','),
    '--output=name',
    '--ignore-not-found',
  ]);
  return names
    .split('\n')
    .filter((name) => name !== '')
    .sort();
}
