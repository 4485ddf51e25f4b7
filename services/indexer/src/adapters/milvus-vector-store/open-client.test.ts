import { openClient } from './open-client.js';

describe('the client of Milvus', () => {
  it('leaves an idle connection in peace, which a server would otherwise end for too many pings', async () => {
    const client = openClient({
      address: '127.0.0.1:1',
      database: 'default',
      searchConsistency: 'bounded',
      timeoutMs: 1000,
    });

    expect(client.channelOptions).toMatchObject({ 'grpc.keepalive_permit_without_calls': 0 });
    await client.closeConnection();
  });
});
