/**
 * CPU time that work takes. As long as that is not below `enough`, the least of up to three runs: others may be at work in
 * this process.
 */
export function cpuSecondsOf(work: () => void, enough = Number.POSITIVE_INFINITY): number {
  let least = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 3 && least >= enough; runs++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000_000);
  }
  return least;
}
