import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ConfigSchema, type Environment, loadConfig, loadMergedConfig } from './load-config.js';

const edge = {
  type: 'object',
  properties: {
    WHETSTONE_HTTP_PORT: {
      type: 'integer',
      default: 8080,
      minimum: 0,
      maximum: 65535,
      description: 'Where it listens',
    },
    WHETSTONE_DOCS: { type: 'boolean', default: true, description: 'Whether /docs is served' },
    WHETSTONE_LOG_LEVEL: { type: 'string', enum: ['info', 'debug'], default: 'info', description: 'How much is said' },
  },
} as const satisfies ConfigSchema;

const core = {
  type: 'object',
  properties: {
    WHETSTONE_ROOT_SECRET: { type: 'string', minLength: 8, secret: true, description: 'The root of all secrets' },
    WHETSTONE_PROXY: { type: 'string', description: 'A way out' },
  },
  required: ['WHETSTONE_ROOT_SECRET'],
} as const satisfies ConfigSchema;

const merged = {
  type: 'object',
  properties: { ...edge.properties, ...core.properties },
  required: core.required,
} as const satisfies ConfigSchema;

const complete = { WHETSTONE_ROOT_SECRET: 'correct horse' };

describe('loadConfig', () => {
  it('gives values of the declared types, with defaults where nothing is set', () => {
    const config = loadConfig(merged, { ...complete, WHETSTONE_HTTP_PORT: '9000', PATH: '/bin' });

    // The types come from the schema: these lines would not compile otherwise.
    const port: number = config.WHETSTONE_HTTP_PORT;
    const docs: boolean = config.WHETSTONE_DOCS;
    const secret: string = config.WHETSTONE_ROOT_SECRET;
    const proxy: string | undefined = config.WHETSTONE_PROXY;
    const level: 'info' | 'debug' = config.WHETSTONE_LOG_LEVEL;
    expect([port, docs, secret, proxy, level]).toEqual([9000, true, 'correct horse', undefined, 'info']);
    expect(config).not.toHaveProperty('PATH');
  });

  it('reports every mistake at once and by name', () => {
    const text = messageOf({
      WHETSTONE_HTTP_PORT: 'eighty',
      WHETSTONE_DOCS: 'maybe',
      WHETSTONE_LOG_LEVEL: 'loud',
      WHETSTONE_NONSENSE_OF_ALL_KINDS: '1',
    });

    expect(text).toBe(
      [
        'Invalid configuration (5 errors):',
        '  - WHETSTONE_NONSENSE_OF_ALL_KINDS is not a known setting',
        '  - WHETSTONE_ROOT_SECRET is required: The root of all secrets',
        '  - WHETSTONE_HTTP_PORT must be a whole number, not "eighty"',
        '  - WHETSTONE_DOCS must be true or false, not "maybe"',
        '  - WHETSTONE_LOG_LEVEL must be one of info, debug, not "loud"',
      ].join('\n'),
    );
  });

  it('fails with an AppError that names no retry', () => {
    expect(errorOf({})).toMatchObject({ name: 'AppError', code: 'invalid_argument', retryable: false });
  });

  it.each([
    ['WHETSTONE_HTTP_PROT', 'WHETSTONE_HTTP_PORT'],
    ['WHETSTONE_HTTPPORT', 'WHETSTONE_HTTP_PORT'],
    ['WHETSTONE_ROOT_SECRETS_FILE', 'WHETSTONE_ROOT_SECRET_FILE'],
  ])('asks whether %s was meant to be %s', (written, meant) => {
    expect(messageOf({ ...complete, [written]: '1' })).toContain(
      `- ${written} is not a known setting; did you mean ${meant}?`,
    );
  });

  it('does not mind what a client in the same shell reads', () => {
    const ofClient = { WHETSTONE_URL: 'http://127.0.0.1:8080', WHETSTONE_KEY: 'wst_1', WHETSTONE_TENANT: 'sky' };

    expect(loadConfig(merged, { ...complete, ...ofClient }).WHETSTONE_HTTP_PORT).toBe(8080);
  });

  it('never shows the value of a secret', () => {
    const text = messageOf({ WHETSTONE_ROOT_SECRET: 'hunter2' });

    expect(text).toContain('WHETSTONE_ROOT_SECRET');
    expect(text).not.toContain('hunter2');
  });

  it('reports a value that is out of bounds', () => {
    expect(messageOf({ ...complete, WHETSTONE_HTTP_PORT: '70000' })).toContain(
      'WHETSTONE_HTTP_PORT must be <= 65535, not "70000"',
    );
  });

  it('says of a malformed value what it should be, and shows it unless it is a secret', () => {
    const schema = {
      type: 'object',
      properties: {
        WHETSTONE_PEERS: { type: 'string', pattern: '^\\w+:\\d+$', description: 'A host and a port' },
        WHETSTONE_TOKEN: { type: 'string', pattern: '^t', secret: true, description: 'A token' },
      },
    } as const satisfies ConfigSchema;

    expect(() => loadConfig(schema, { WHETSTONE_PEERS: 'a', WHETSTONE_TOKEN: 'b' })).toThrow(
      'errors):\n  - WHETSTONE_PEERS is malformed ("a"): A host and a port\n  - WHETSTONE_TOKEN is malformed: A token',
    );
  });

  it('treats an empty variable as absent', () => {
    expect(loadConfig(merged, { ...complete, WHETSTONE_HTTP_PORT: '' }).WHETSTONE_HTTP_PORT).toBe(8080);
    expect(messageOf({ WHETSTONE_ROOT_SECRET: '' })).toContain('WHETSTONE_ROOT_SECRET is required');
  });

  it('ignores the variables that Kubernetes adds for Services of our name', () => {
    const links = {
      WHETSTONE_GATEWAY_SERVICE_HOST: '10.0.0.1',
      WHETSTONE_GATEWAY_SERVICE_PORT: '80',
      WHETSTONE_GATEWAY_SERVICE_PORT_HTTP: '80',
      WHETSTONE_GATEWAY_PORT: 'tcp://10.0.0.1:80',
      WHETSTONE_GATEWAY_PORT_80_TCP: 'tcp://10.0.0.1:80',
      WHETSTONE_GATEWAY_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(loadConfig(merged, { ...complete, ...links }).WHETSTONE_HTTP_PORT).toBe(8080);
    expect(messageOf({ ...complete, WHETSTONE_HTTPS_PORT: '8443' })).toContain('WHETSTONE_HTTPS_PORT');
  });
});

describe('loadMergedConfig', () => {
  it('reads several schemas as one, so that no variable of one is unknown to another', () => {
    const env = { ...complete, WHETSTONE_HTTP_PORT: '9000' };
    const whole: object = loadConfig(merged, env);

    expect(loadMergedConfig<object>([edge, core], env)).toEqual(whole);
    expect(() => loadMergedConfig<object>([edge, core], { WHETSTONE_HTTP_PORT: 'x', WHETSTONE_PROXI: 'y' })).toThrow(
      /3 errors.*WHETSTONE_PROXI .*did you mean WHETSTONE_PROXY.*WHETSTONE_ROOT_SECRET .*WHETSTONE_HTTP_PORT /s,
    );
  });
});

describe('a value in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whetstone-config-'));
  const file = join(folder, 'secret');
  beforeAll(() => writeFileSync(file, '  from the file\n'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read and trimmed', () => {
    expect(loadConfig(merged, { WHETSTONE_ROOT_SECRET_FILE: file }).WHETSTONE_ROOT_SECRET).toBe('from the file');
  });

  it('must not compete with the variable itself', () => {
    expect(messageOf({ ...complete, WHETSTONE_ROOT_SECRET_FILE: file })).toContain(
      'WHETSTONE_ROOT_SECRET and WHETSTONE_ROOT_SECRET_FILE are both set',
    );
  });

  it('must be readable, and is then the only thing reported about its variable', () => {
    const text = messageOf({ WHETSTONE_ROOT_SECRET_FILE: join(folder, 'missing') });

    expect(text).toContain('(1 error):');
    expect(text).toContain(`WHETSTONE_ROOT_SECRET cannot be read from the file ${join(folder, 'missing')} (ENOENT`);
  });
});

function messageOf(env: Environment): string {
  return errorOf(env).message;
}

function errorOf(env: Environment): Error {
  try {
    loadConfig(merged, env);
  } catch (error) {
    return error as Error;
  }
  throw new Error('This configuration was accepted');
}
