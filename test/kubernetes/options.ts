import { parseArgs } from 'node:util';

export const parts = ['standalone', 'test', 'acceptance', 'upgrade', 'kills'] as const;
export type Part = (typeof parts)[number];

/** What is installed, where, and beside what. */
export interface Options {
  /** Of the images, as the chart takes them. */
  registry: string;
  tag: string;
  pullPolicy: string;
  /** CPU request of every pod. Empty: the chart's defaults. */
  cpu: string;
  /** As pods reach them. Empty: started on this machine, at `enginesHost`. */
  kafka: string[];
  milvus: string;
  /** Address of this machine that pods reach. */
  enginesHost: string;
  /** How this machine reaches the gateway. Empty: its cluster address. */
  url: string;
  /** Additional values files, which take precedence. */
  values: string[];
  /** Parts to skip. */
  skip: Part[];
  /** Leaves everything in place if a step fails. */
  keep: boolean;
}

export const usage = `npm run test:kubernetes -- [options]

Installs the chart into a namespace of its own, in the cluster of the current kubeconfig.

  --registry NAME       where the images are (as image.registry of the chart)
  --tag TAG             their version (that of the chart)
  --pull-policy POLICY  Never if the images were loaded into the nodes (IfNotPresent)
  --cpu AMOUNT          CPU that every pod requests, such as 50m on a small node (the chart's defaults)
  --kafka HOST:PORT,…   brokers that pods reach      } without these, Kafka and Milvus Lite are started
  --milvus HOST:PORT    a Milvus that pods reach     } on this machine, at --engines-host
  --engines-host IP     an address of this machine that pods reach
  --url URL             how this machine reaches the gateway, if not at the cluster address of its Service: the
                        address of a load balancer or an Ingress that --values enables; not a port-forward,
                        which is bound to one pod
  --values FILE         further values for the chart (may be repeated)
  --skip PART           skips a part: ${parts.join(', ')} (may be repeated)
  --keep                leaves everything in place if a step fails
`;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      registry: { type: 'string', default: '' },
      tag: { type: 'string', default: '' },
      'pull-policy': { type: 'string', default: 'IfNotPresent' },
      cpu: { type: 'string', default: '' },
      kafka: { type: 'string', default: '' },
      milvus: { type: 'string', default: '' },
      'engines-host': { type: 'string', default: '' },
      url: { type: 'string', default: '' },
      values: { type: 'string', multiple: true, default: [] },
      skip: { type: 'string', multiple: true, default: [] },
      keep: { type: 'boolean', default: false },
    },
  });
  const kafka = values.kafka.split(',').filter((broker) => broker !== '');
  const { milvus, 'engines-host': enginesHost } = values;
  if (enginesHost === '' && (kafka.length === 0 || milvus === '')) {
    throw new Error(
      'Pass the addresses of Kafka and Milvus (--kafka and --milvus), or the address of this machine (--engines-host)',
    );
  }
  const unknown = values.skip.filter((part) => !(parts as readonly string[]).includes(part));
  if (unknown.length > 0) throw new Error(`--skip takes ${parts.join(', ')}, not ${unknown.join(', ')}`);
  return {
    registry: values.registry,
    tag: values.tag,
    pullPolicy: values['pull-policy'],
    cpu: values.cpu,
    kafka,
    milvus,
    enginesHost,
    url: values.url.replace(/\/$/, ''),
    values: values.values,
    skip: values.skip as Part[],
    keep: values.keep,
  };
}
