import { execFileSync } from 'node:child_process';

import { AppError } from './app-error.js';
import { createRecordingLogger } from './test-kit/recording-logger.js';

describe('the logger', () => {
  it('writes one JSON line an event, with level, time, service and what was given', () => {
    const { lines, logger } = createRecordingLogger();

    logger.info({ request_id: 'r1', job_id: 'j1' }, 'accepted');

    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: 'test',
        request_id: 'r1',
        job_id: 'j1',
        msg: 'accepted',
      },
    ]);
  });

  it('writes errors with their code and their causes', () => {
    const { lines, logger } = createRecordingLogger();

    logger.error({ err: new AppError('log_unavailable', 'no log', { cause: new Error('disk full') }) }, 'failed');

    expect(lines()[0]).toMatchObject({
      level: 'error',
      err: { code: 'log_unavailable', message: 'no log: disk full' },
    });
  });

  it('tells a cause that repeats what wraps it once', () => {
    const { lines, logger } = createRecordingLogger();
    const refused = new Error('connect ECONNREFUSED');
    const wrapped = new Error('Connection error: connect ECONNREFUSED', { cause: refused });

    logger.warn({ err: new AppError('log_unavailable', 'no log', { cause: wrapped }) }, 'failed');

    expect(lines()[0]).toMatchObject({ err: { message: 'no log: Connection error: connect ECONNREFUSED' } });
  });

  it('loads what makes lines pretty only where that is asked for', () => {
    const loaded = (pretty: boolean) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script(pretty)], { encoding: 'utf8' }).trim();

    expect(loaded(false)).toBe('false');
    expect(loaded(true)).toBe('true');
  });
});

describe('the logger at a terminal', () => {
  it('writes one line an event: time of day, level, service, message, fields', () => {
    const line = pretty((logger) => logger.info({ job_id: 'j1', count: 3, what: 'two words' }, 'accepted'));

    expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}test {7}accepted job_id=j1 count=3 what="two words"\n$/);
  });

  it('puts an error on lines of its own', () => {
    const lines = pretty((logger) => logger.error({ err: new AppError('internal', 'boom') }, 'failed')).split('\n');

    expect(lines[0]).toMatch(/error test {7}failed$/);
    expect(lines[1]).toBe('         internal: boom');
    expect(lines[2]).toMatch(/^ {9}at /);
  });

  it('lets no text steer the terminal or pass for a line of its own', () => {
    const hostile = '\u001b[2Jgone\n12:00:00 info  test       forged';
    const text = pretty((logger) => logger.error({ err: new Error(hostile), field: hostile }, hostile));

    expect(text).not.toContain('\u001b[2J');
    expect(text).not.toMatch(/^12:00:00/m);
  });
});

type TestLogger = ReturnType<typeof createRecordingLogger>['logger'];

function pretty(write: (logger: TestLogger) => void): string {
  const { logger, text } = createRecordingLogger({ pretty: true });
  write(logger);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  return text().replaceAll(/\u001b\[\d+m/g, '');
}

function script(pretty: boolean): string {
  return `
    import { createRequire } from 'node:module';
    import { createLogger } from ${JSON.stringify(new URL('./logger.js', import.meta.url).href)};
    createLogger({ service: 'test', level: 'info', pretty: ${pretty} });
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).some((file) => file.includes('pino-pretty')));`;
}
