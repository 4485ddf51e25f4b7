import { stringify } from 'yaml';

import { chartFolder, onNewest, runWithInput, tools, valuesOf } from './chart.js';

const chart = tools();

/** What helm says to the values of the minimal case with these beside them. */
async function said(values: object, base: readonly string[] = valuesOf('minimal')): Promise<string> {
  const args = ['template', 'try', chartFolder, ...onNewest(chart()), ...base, '--values', '-'];
  const { ok, output } = await runWithInput(chart().helm, args, stringify(values));
  return ok ? 'nothing' : output;
}

describe('wrong values are refused with a message that names them', () => {
  it.each<[what: string, values: object, message: string]>([
    ['a name that no value has', { gatway: {} }, "at '': additional properties 'gatway' not allowed"],
    [
      'such a name in a service',
      { gateway: { replica: 3 } },
      "at '/gateway': additional properties 'replica' not allowed",
    ],
    ['another mode', { mode: 'clustered' }, "at '/mode': value must be one of 'cluster', 'standalone'"],
    ['a number that is none', { status: { replicas: 'two' } }, "at '/status/replicas': got string, want integer"],
    [
      'a broker without a port',
      { kafka: { brokers: ['kafka'] } },
      "at '/kafka/brokers/0': 'kafka' does not match pattern",
    ],
    [
      'another login',
      { kafka: { sasl: { mechanism: 'kerberos' } } },
      "at '/kafka/sasl/mechanism': value must be one of",
    ],
    [
      'Milvus without a port',
      { milvus: { address: 'milvus' } },
      "at '/milvus/address': 'milvus' does not match pattern",
    ],
    ['a level that no log has', { logLevel: 'verbose' }, "at '/logLevel': value must be one of 'debug', 'info'"],
    [
      'resources that are none',
      { indexer: { resources: 'large' } },
      "at '/indexer/resources': got string, want object",
    ],
  ])('%s', async (_, values, message) => {
    expect(await said(values)).toContain(message);
  });

  it('a root secret that is missing, with the command that makes one', async () => {
    expect(await said({ rootSecret: { existingSecret: '' } })).toMatch(/kubectl create secret generic .*openssl rand/s);
  });

  it('brokers and Milvus that are missing, both at once', async () => {
    const message = await said({ rootSecret: { existingSecret: 'root' } }, []);
    expect(message).toContain('kafka.brokers is missing');
    expect(message).toContain('milvus.address is missing');
  });

  it('more analysers than partitions', async () => {
    const autoscaling = { enabled: true, type: 'keda', maxReplicas: 9 };
    expect(await said({ analyser: { autoscaling } })).toMatch(/analyser\.autoscaling\.maxReplicas.*uploadPartitions/s);
  });
});

it('a cluster older than the oldest that the chart is checked for is refused', async () => {
  const [oldest] = chart().kubernetesVersions;
  const [major, minor] = oldest.split('.').map(Number) as [number, number];
  const on = (version: string) => said({}, [...valuesOf('minimal'), '--kube-version', version]);

  expect(await on(`${oldest}.0`)).toBe('nothing');
  for (const older of [`${major}.${minor - 1}.9`, '1.20.0'])
    expect(await on(older)).toContain(`requires kubeVersion: >=${oldest}.0-0`);
});

it('right values are not refused', async () => {
  expect(await said({})).toBe('nothing');
});
