export interface Listener {
  name: string;
  protocol: 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';
  port: number;
  /** Settings of this listener alone, without its prefix. */
  settings?: Record<string, string>;
}

export interface ServerOptions {
  dataFolder: string;
  /** That clients reach it at. */
  host: string;
  controllerPort: number;
  listeners: readonly Listener[];
  /** Further settings, which win. */
  settings?: Record<string, string>;
}

/** A broker that is its own controller, alone, quick to start and to come back after kill −9. */
export function serverProperties({ dataFolder, host, controllerPort, listeners, settings }: ServerOptions): string {
  const all = [...listeners, { name: 'CONTROLLER', protocol: 'PLAINTEXT', port: controllerPort } satisfies Listener];
  const addressOf = (name: string) => (name === 'CONTROLLER' ? '127.0.0.1' : host);
  const properties: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'log.dirs': dataFolder,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': (listeners[0] as Listener).name,
    listeners: all.map(({ name, port }) => `${name}://${addressOf(name)}:${port}`).join(','),
    'listener.security.protocol.map': all.map(({ name, protocol }) => `${name}:${protocol}`).join(','),
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    // Fifty of them, the default, take seconds to make when the first consumer comes.
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    // A killed broker may come back when the controller has given up its old session.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
    // The default would take half of the small heap.
    'log.cleaner.dedupe.buffer.size': '16777216',
  };
  for (const { name, settings: own = {} } of listeners) {
    for (const [key, value] of Object.entries(own)) properties[`listener.name.${name.toLowerCase()}.${key}`] = value;
  }
  const lines = Object.entries({ ...properties, ...settings }).map(([key, value]) => `${key}=${escaped(value)}`);
  return `${lines.join('\n')}\n`;
}

/** A backslash or a line break has a meaning of its own in this format. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
