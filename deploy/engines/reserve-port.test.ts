import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { reservePort, reserveSamePort } from './reserve-port.js';

describe('a reserved port', () => {
  it('can be listened on', async () => {
    const reserved = await reservePort();
    const server = createServer().listen(reserved.port, '127.0.0.1');
    await once(server, 'listening');
    expect((server.address() as AddressInfo).port).toBe(reserved.port);
    await new Promise((resolve) => server.close(resolve));
    reserved.release();
  });

  it('is given to nobody else until it is released', async () => {
    const reserved = await reservePort();
    await expect(reserveSamePort(reserved.port)).rejects.toThrow(`Port ${reserved.port} on 127.0.0.1`);
    reserved.release();
    const again = await reserveSamePort(reserved.port);
    again.release();
  });

  it('is not one that somebody listens on', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(reserveSamePort(port)).rejects.toThrow('is taken by another program');
    await new Promise((resolve) => server.close(resolve));
  });
});
