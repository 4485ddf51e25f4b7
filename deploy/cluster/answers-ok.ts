const withinMs = 2_000;

/** Whether a probe answers 200 in time. */
export function answersOk(url: string, cancelled?: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(withinMs);
  const signal = cancelled ? AbortSignal.any([cancelled, timeout]) : timeout;
  return fetch(url, { signal }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}
