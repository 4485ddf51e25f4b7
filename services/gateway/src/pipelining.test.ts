import { connect } from 'node:net';
import { eventually } from '@whetstone/platform/test-kit';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

describe('a connection that closes with requests behind one that is being answered', () => {
  it('gives back what their bodies held', async () => {
    const { url, key, registry } = await start({ enhance: () => new Promise(() => {}) });
    const heldBytes = async () => Number(/^whetstone_body_bytes_in_flight (\d+)$/m.exec(await registry.metrics())?.[1]);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const task = JSON.stringify({ tenant_id: 't', input_text: 'x' });
    const post = (path: string, bytes: number) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;
    socket.write(`${post('/enhance_task', task.length)}${task}${post('/store_knowledge', 1_000_000)}{`);
    await eventually(async () => (await heldBytes()) === 1_000_000, 'the body is counted');

    socket.resetAndDestroy();

    await eventually(async () => (await heldBytes()) === 0, 'nothing is held');
  });
});
