/** What was done, how long each thing took, and what went wrong; told while it happens. */
export interface Steps {
  /** Undefined when it failed: then it is told, and what does not depend on it goes on. */
  take<T>(title: string, work: () => Promise<T>): Promise<T | undefined>;
  /** A figure or remark, for the summary too. */
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
