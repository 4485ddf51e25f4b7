import { createRestService } from '../contenders/rest-service.js';
import { type Domain, divideIntoDomains } from '../domain.js';
import type { Metric } from '../measure.js';
import { startOwnService } from '../own-service.js';
import { ownDataFiles, readInteractions } from '../read-interactions.js';
import { scoreAnswerer } from '../score.js';
import { blindRanker, createRandomRanker, failuresAt, gate, muteService, storeDump } from './gate.js';
import { type Recommending, startStandIn } from './start-stand-in.js';

const seed = 1;

describe('the gate of answers that help', () => {
  let domains: Domain[];
  beforeAll(async () => {
    const files = await Promise.all((await ownDataFiles()).map(readInteractions));
    domains = divideIntoDomains(files.flat(), 3, seed);
  });

  async function failuresOf(service: { url: string; key: string; end(): Promise<void> }): Promise<Map<Metric, string>> {
    try {
      const answerer = createRestService({ ...service, prefix: 'gate' });
      const { measures } = await scoreAnswerer(answerer, domains, { questions: 40, seed, say: () => {} });
      return failuresAt(gate, measures);
    } finally {
      await service.end();
    }
  }

  const failuresOfStandIn = async (recommend: Recommending) =>
    failuresOf({ ...(await startStandIn(recommend)), key: 'any' });

  it('lets the service pass', async () => {
    expect([...(await failuresOf(await startOwnService())).values()]).toEqual([]);
  });

  it('stops a random ranker: it seldom finds what worked', async () => {
    const failures = await failuresOfStandIn(createRandomRanker());
    expect([...failures.keys()]).toEqual(expect.arrayContaining(['rescue', 'paraphrased', 'falseAlarm']));
  });

  it('stops a ranker that ignores the query: it says the same to everybody', async () => {
    const failures = await failuresOfStandIn(blindRanker);
    expect([...failures.keys()]).toEqual(expect.arrayContaining(['rescue', 'paraphrased', 'falseAlarm']));
  });

  it('stops an answer that dumps the store: it has what worked, and everything else', async () => {
    const failures = await failuresOfStandIn(storeDump);
    expect([...failures.keys()]).toEqual(expect.arrayContaining(['foreign', 'falseAlarm']));
    expect([...failures.keys()]).not.toContain('rescue');
  });

  it('stops a mute service: it gives no false alarm, and no answer', async () => {
    const failures = await failuresOfStandIn(muteService);
    expect([...failures.keys()]).toEqual(expect.arrayContaining(['rescue', 'tools', 'family', 'answered']));
    expect([...failures.keys()]).not.toContain('falseAlarm');
  });
});
