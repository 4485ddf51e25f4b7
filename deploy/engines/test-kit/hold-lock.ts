import { withLock } from '../fetch-once.js';

/** A program that takes a lock, says so, and holds it until somebody kills it. */
const [file] = process.argv.slice(2) as [string];
await withLock(
  file,
  () => {},
  async () => {
    console.log('held');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  },
);
