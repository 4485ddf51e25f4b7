import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedUpload } from '@whetstone/contracts';
import { createSystemClock } from '@whetstone/platform';
import { randomNumbers } from '@whetstone/platform/test-kit';

import type { Analyser } from './create-analyser.js';
import { reflect } from './domain/learn/reflect.js';
import {
  createInMemoryKnowledge,
  type InMemoryKnowledge,
  interactions,
  type LogSite,
  openLogSite,
  unreliable,
  uploadOf,
} from './test-kit/index.js';

const tenants = ['shop', 'ops', 'desk'];

describe.each([11, 47])('under random failures (seed %i)', (seed) => {
  let site: LogSite;

  beforeEach(async () => {
    const pauses = randomNumbers(seed);
    site = await openLogSite(createInMemoryKnowledge(() => sleep(pauses() * 15)));
  });
  afterEach(() => site.close());

  it('learns from every upload exactly once', async () => {
    const random = randomNumbers(seed);
    const uploads = someUploads();
    await appendInDisorder(site, uploads, random);

    await analyseWithInterruptions(site, uploads, random);

    for (const { jobId, interaction, collectionId } of uploads) {
      const { insights } = reflect(interaction);
      const outcome = insights.length > 0 ? 'stored' : 'nothing_to_learn';
      const state = await site.jobs.getJob({ jobId }, {});
      expect(state).toMatchObject({ status: 'completed', insightsStored: insights.length, outcome });
      expect(site.knowledge.attemptsOf(jobId)).toHaveLength(1);
      expect(site.knowledge.insightsOf(jobId)).toEqual(insights);
      expect(site.knowledge.calls.filter((call) => call.jobId === jobId && call.collectionId !== collectionId)).toEqual(
        [],
      );
    }
    expect(await site.deadLetters()).toEqual([]);
    expect(site.crashes).toEqual([]);
  });
});

it('some of the interactions teach something, but not all', () => {
  const teaching = interactions.filter((interaction) => reflect(interaction).insights.length > 0);

  expect(teaching.length).toBeGreaterThan(8);
  expect(teaching.length).toBeLessThan(interactions.length);
});

function someUploads(): AcceptedUpload[] {
  const clock = createSystemClock();
  return tenants.flatMap((tenant) => interactions.map((interaction) => uploadOf(interaction, clock.now(), tenant)));
}

/** Some are in the log two or three times, in any order. */
async function appendInDisorder(site: LogSite, uploads: AcceptedUpload[], random: () => number): Promise<void> {
  const again = uploads.filter(() => random() < 0.4);
  const thrice = again.filter(() => random() < 0.3);
  const disordered = [...uploads, ...again, ...thrice]
    .map((upload) => ({ upload, place: random() }))
    .sort((a, b) => a.place - b.place);
  for (const { upload } of disordered) await site.upload(upload);
}

/** Two analysers at a time stop and start in the middle of work, and all their dependencies fail at random. */
async function analyseWithInterruptions(site: LogSite, uploads: AcceptedUpload[], random: () => number): Promise<void> {
  const { knowledge, jobs, log } = site;
  const underWay: Promise<unknown>[] = [];
  const start = () =>
    site.startAnalyser(
      {
        knowledge: {
          ...knowledge,
          replace: unreliable(random, 'store_unavailable', besideRivals(knowledge, random, underWay)),
        },
        jobs: { getJob: unreliable(random, 'status_unavailable', jobs.getJob) },
        log: { ...log, append: unreliable(random, 'log_unavailable', log.append) },
      },
      { stopGraceMs: 0, longestWaitMs: 5 },
    );
  let ended = false;
  const done = site.allEnded(uploads).then(() => {
    ended = true;
  });
  let running: Analyser[] = [await start(), await start()];
  for (let interruptions = 0; interruptions < 6 && !ended; interruptions++) {
    await sleep(20 + random() * 60);
    const [oldest, ...others] = running;
    await oldest?.stop();
    running = [...others, await start()];
  }
  await done;
  await Promise.all(running.map((analyser) => analyser.stop()));
  // An aborted attempt may still be writing, and has to withdraw by itself.
  await Promise.all(underWay);
}

/** Sometimes a presumed-dead analyser works on the same job, slightly ahead, and never finishes it. */
function besideRivals(
  { replace }: InMemoryKnowledge,
  random: () => number,
  underWay: Promise<unknown>[],
): InMemoryKnowledge['replace'] {
  return (request, call) => {
    const aheadMs = 20;
    const attempt = `${String((Date.now() + aheadMs) * 1000).padStart(17, '0')}-rival`;
    if (random() < 0.2) underWay.push(replace({ ...request, attempt }, call));
    const own = replace(request, call);
    underWay.push(own);
    return own;
  };
}
