export interface Progress {
  /** One more is done; the text is shown beside the bar. */
  step(text?: string): void;
  end(): void;
}

const width = 30;

/** A bar on a terminal, otherwise a line for every tenth. */
export function showProgress(total: number, title: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  let done = 0;
  const began = Date.now();
  const draw = (text: string) => {
    const part = total === 0 ? 1 : done / total;
    const left = done === 0 ? '' : `, ${span(((Date.now() - began) / done) * (total - done))} left`;
    if (stream.isTTY) {
      const filled = '█'.repeat(Math.round(part * width)).padEnd(width, '░');
      stream.write(`\r\x1b[K${title} ${filled} ${done}/${total}${left} ${text}`.slice(0, (stream.columns ?? 100) + 3));
    } else if (done > 0 && Math.floor(part * 10) > Math.floor(((done - 1) / total) * 10)) {
      stream.write(`${title} ${done}/${total}${left} ${text}\n`);
    }
  };
  draw('');
  return {
    step(text = '') {
      done++;
      draw(text);
    },
    end() {
      if (stream.isTTY) stream.write('\n');
    },
  };
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.ceil(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
