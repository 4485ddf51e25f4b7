export interface Stoppable {
  stop(): Promise<unknown>;
}

export interface StopList {
  /**
   * A group whose members start at once. Groups stop in the opposite order of these calls. An error is told when all have
   * settled, so that nothing that is still starting is forgotten.
   */
  start<T extends Stoppable>(starting: readonly Promise<T>[]): Promise<T[]>;
  stop(): Promise<void>;
}

export function createStopList(): StopList {
  const groups: Stoppable[][] = [];
  return {
    async start<T extends Stoppable>(starting: readonly Promise<T>[]) {
      const group: Stoppable[] = [];
      groups.push(group);
      const results = await Promise.allSettled(starting);
      const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      group.push(...started);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return started;
    },
    async stop() {
      for (let group = groups.pop(); group; group = groups.pop()) {
        await Promise.all(group.map((member) => member.stop()));
      }
    },
  };
}
