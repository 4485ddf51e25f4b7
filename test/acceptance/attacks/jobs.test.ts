import { createAccounts } from '../../support/accounts.js';
import { inParallel } from '../../support/eventually.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

const accounts = createAccounts();

/** More than a server reads ahead of its work. */
const backlog = 1200;
/** Spread over all partitions of the log. */
const places = 8;

describe('an account with a large backlog', () => {
  it('does not keep the jobs of another waiting until it is worked off', async () => {
    const [busy, quiet] = [await accounts.open(), await accounts.open()];
    // The rate is limited per key.
    const keys = [busy, await accounts.open(busy.account), await accounts.open(busy.account)];
    const numbers = Array.from({ length: backlog }, (_, index) => index);
    const jobsOfBusy = await inParallel(numbers, 32, async (index) => {
      const client = keys[index % keys.length]?.client ?? busy.client;
      return (await client.store(lessonUpload('backlog', lessons.logs))).job_id;
    });

    const jobsOfQuiet = await inParallel(numbers.slice(0, places), 4, async (index) => {
      const { job_id } = await quiet.client.store(lessonUpload(`place-${index}`, lessons.ports));
      return quiet.client.jobEnded(job_id);
    });

    const sample = jobsOfBusy.filter((_, index) => index % 10 === 0);
    const records = await inParallel(sample, 8, (jobId) => busy.client.job(jobId));
    // What is left of the backlog would keep the tests after this one waiting.
    await busy.client.discard('backlog');
    const overtaking = jobsOfQuiet.map(({ created_at: from = '', completed_at: to = '' }) => {
      return records.filter(({ completed_at: at = '' }) => at > from && at <= to).length;
    });
    expect(jobsOfQuiet.map(({ status }) => status)).toEqual(jobsOfQuiet.map(() => 'completed'));
    expect(Math.max(...overtaking)).toBeLessThan(sample.length / 5);
  }, 300_000);
});
