import { type GatewayOptions, type RunningGateway, startGateway } from './start-gateway.js';

/** Starts gateways with one key of an account, and closes them after each test of the file that calls this. */
export function gatewaysOfATest() {
  const started: RunningGateway[] = [];

  afterEach(async () => {
    await Promise.all(started.splice(0).map((running) => running.close()));
  });

  return async function start(options: GatewayOptions = {}) {
    const running = await startGateway(options);
    started.push(running);
    const { key } = await running.issueKey('acme');
    return { ...running, key };
  };
}
