/** Steps with their times and failures, printed as they happen. */
export interface Steps {
  /** Undefined if it failed; the failure is printed, and independent steps continue. */
  take<T>(title: string, work: () => Promise<T>): Promise<T | undefined>;
  /** A remark, also for the summary. */
  note(line: string): void;
  readonly failed: boolean;
  summary(): string;
}

export function createSteps(say: (line: string) => void): Steps {
  const lines: string[] = [];
  let failed = false;
  const tell = (line: string) => {
    lines.push(line);
    say(line);
  };
  return {
    async take(title, work) {
      say(`── ${title} …`);
      const begun = Date.now();
      const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`.padStart(8);
      try {
        const result = await work();
        tell(`${seconds()}  ${title}`);
        return result;
      } catch (error) {
        failed = true;
        tell(`${seconds()}  FAILED: ${title}\n${indented((error as Error).message)}`);
        return undefined;
      }
    },
    note: (line) => tell(`          ${line}`),
    get failed() {
      return failed;
    },
    summary: () => ['', ...lines, failed ? 'FAILED' : 'Everything passed.'].join('\n'),
  };
}

function indented(text: string): string {
  return text.replace(/^/gm, '            ');
}
