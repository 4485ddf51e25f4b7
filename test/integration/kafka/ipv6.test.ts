import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

import { sharedKafka } from '../../support/shared-engines.js';
import { createTopic, openLog, readAll } from './topics.js';

const brokers = sharedKafka();

describe('a broker with an IPv6 address', () => {
  let proxy: Server;
  let connections = 0;

  /** The shared broker listens on IPv4, so this leads there. */
  beforeAll(async () => {
    const [host = '', port = ''] = brokers()[0]?.split(':') ?? [];
    proxy = createServer((inside) => {
      connections++;
      const outside = connect(Number(port), host);
      inside.pipe(outside).pipe(inside);
      inside.on('error', () => outside.destroy());
      outside.on('error', () => inside.destroy());
    });
    proxy.listen(0, '::1');
    await once(proxy, 'listening');
  });
  afterAll(() => {
    proxy.close();
  });

  it('is found by the address in brackets', async () => {
    const topic = await createTopic(brokers());
    const log = await openLog({ brokers: [`[::1]:${(proxy.address() as AddressInfo).port}`] });
    try {
      await log.append(topic, { key: 'a', value: Buffer.from('over IPv6') });
      const [event] = await readAll(log, topic);
      expect(Buffer.from(event?.value ?? []).toString()).toBe('over IPv6');
      expect(connections).toBeGreaterThan(0);
    } finally {
      await log.close();
    }
  });
});
