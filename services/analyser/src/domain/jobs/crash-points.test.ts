import type { AcceptedUpload, DeadLetter } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryJobs,
  createInMemoryKnowledge,
  createPlainProducer,
  createWorkbench,
  jobStateOf,
  reflectionOf,
  startOfTest,
} from '../../test-kit/index.js';

/** Stands for kill -9: the process stops at this step, before or after its effect, and none of its code runs on. */
type Crash = { step: number; when: 'before' | 'after' };

describe.each([
  { title: 'a job that completes', poison: false },
  { title: 'a job that is given up', poison: true },
])('$title', ({ poison }) => {
  const steps = poison ? 7 : 4;
  const crashes = Array.from({ length: steps }, (_, step) => [
    { step, when: 'before' } as const,
    { step, when: 'after' } as const,
  ]).flat();

  it('takes as many steps as are crashed at here', async () => {
    expect((await runTo(undefined, poison)).stepsTaken).toBe(steps);
  });

  it.each(crashes)(
    'ends the same when the process dies $when step $step and the message comes again',
    async (crash) => {
      const whole = await runTo(undefined, poison);
      const crashed = await runTo(crash, poison);

      expect(crashed.diedOnce).toBe(true);
      expect(crashed.result()).toEqual(whole.result());
    },
  );
});

/** Delivers one upload until it is done with, to a new process after each crash; stores and records outlive processes. */
async function runTo(crash: Crash | undefined, poison: boolean) {
  const jobs = createInMemoryJobs();
  const knowledge = createInMemoryKnowledge();
  const letters: DeadLetter[] = [];
  const upload = anUpload({ at: startOfTest });
  let stepsTaken = 0;
  let diedOnce = false;

  async function deliverOnce(): Promise<boolean> {
    const kill = new AbortController();
    const step = async <Result>(effect: () => Promise<Result>): Promise<Result> => {
      const dies = !diedOnce && stepsTaken++ === crash?.step;
      if (dies && crash?.when === 'before') return die();
      const result = effect();
      if (!dies) return result;
      await result.catch(() => {});
      return die();
    };
    const die = () => {
      diedOnce = true;
      kill.abort(new Error('killed'));
      return new Promise<never>(() => {});
    };
    const analyse = () =>
      poison
        ? Promise.reject(new AppError('analysis_failed', 'poison'))
        : Promise.resolve(reflectionOf(upload.interaction));
    const bench = createWorkbench({
      jobs: { getJob: (request, call) => step(() => jobs.getJob(request, call)) },
      appendEvent: (event) => step(() => jobs.appendEvent(event)),
      appendDeadLetter: (letter) => step(() => Promise.resolve(void letters.push(letter))),
      knowledge: { ...knowledge, replace: (request, call) => step(() => knowledge.replace(request, call)) },
      producer: createPlainProducer(poison ? () => step(analyse) : analyse),
    });
    return bench.process(upload, kill.signal).then(
      () => true,
      () => false,
    );
  }

  while (!(await deliverOnce()));
  return { stepsTaken, diedOnce, result: () => resultOf(upload, jobs.events, knowledge, letters) };
}

function resultOf(
  { jobId }: AcceptedUpload,
  events: Parameters<typeof jobStateOf>[1],
  knowledge: ReturnType<typeof createInMemoryKnowledge>,
  letters: DeadLetter[],
) {
  const { status, outcome, insightsStored } = jobStateOf(jobId, events);
  return {
    status,
    outcome,
    insightsStored,
    attemptsLeft: knowledge.attemptsOf(jobId).length,
    insights: knowledge.insightsOf(jobId).map(({ title }) => title),
    wasBuried: letters.length > 0,
  };
}
