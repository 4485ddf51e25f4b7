import { gzipSync } from 'node:zlib';

import { createAccounts, unique } from '../../support/accounts.js';
import type { Client } from '../../support/client.js';
import type { Acknowledgement, ValidationErrorBody } from '../../support/contract.js';
import { inParallel } from '../../support/eventually.js';
import { openKeyring, type Steadiness, watchSteadiness } from './steadiness.js';

const megabyte = 1024 * 1024;
let steadiness: Steadiness;
let next: () => Client;

beforeAll(async () => {
  steadiness = await watchSteadiness();
  ({ next } = await openKeyring(createAccounts(), 2));
});

const store = (body: unknown, headers: Record<string, string> = {}) =>
  next().request<Acknowledgement & ValidationErrorBody>('POST', '/store_knowledge', { body, headers });
const upload = (fields: string) => `{"tenant_id":"${unique('large')}","query":"x",${fields}}`;

describe('nesting 100,000 deep', () => {
  afterAll(() => steadiness.check());

  const deepArray = '['.repeat(100_000) + ']'.repeat(100_000);
  const deepObject = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

  it.each([
    ['as the body', deepArray],
    ['as a body of objects', deepObject],
    ['as turns', upload(`"turns":${deepArray}`)],
    ['as a turn', upload(`"turns":[${deepObject}]`)],
    ['as success', upload(`"turns":[],"success":${deepArray}`)],
    ['left open', '['.repeat(100_000)],
  ])('%s is a 422', async (_, body) => {
    expect((await store(body)).status).toBe(422);
  });

  it.each([
    ['inside metadata', upload(`"turns":[],"metadata":{"deep":${deepObject}}`)],
    ['in a field that nobody knows', upload(`"turns":[],"unknown":${deepArray}`)],
    ['as a decision', upload(`"turns":[{"turn":1,"inputs":"a","decision":${deepObject},"result":${deepArray}}]`)],
    [
      'as a memory, not as deep',
      upload(`"turns":[{"turn":1,"inputs":[],"decision":{},"memory":${deepArray.slice(99_600, 100_400)}}]`),
    ],
  ])('%s is accepted or refused, and a job made so ends', async (_, body) => {
    const answer = await store(body);

    expect([202, 422]).toContain(answer.status);
    if (answer.status === 202) expect((await next().jobEnded(answer.body.job_id)).status).toBe('completed');
  });
});

describe('much of everything', () => {
  afterAll(() => steadiness.check());

  it('10,000 turns are accepted, and their job ends well', async () => {
    const turns = Array.from({ length: 10_000 }, (_, turn) => ({
      turn,
      inputs: `page ${turn}`,
      decision: `click ${turn}`,
      result: 'ok',
    }));

    const answer = await store({ tenant_id: unique('large'), query: 'Click through all pages', turns, success: true });

    expect(answer.status).toBe(202);
    expect((await next().jobEnded(answer.body.job_id)).status).toBe('completed');
  });

  it('10,000 wrong turns are told with 100 problems', async () => {
    const answer = await store({ tenant_id: 'large', query: 'x', turns: Array.from({ length: 10_000 }, () => 7) });

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toHaveLength(100);
  });

  it.each([
    [
      'keys in metadata',
      () => upload(`"turns":[],"metadata":{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join()}}`),
      202,
    ],
    [
      'unknown fields',
      () => upload(`"turns":[],${Array.from({ length: 100_000 }, (_, i) => `"u${i}":0`).join()}`),
      202,
    ],
    ['empty lists as turns', () => upload(`"turns":[${Array.from({ length: 500_000 }, () => '[]').join()}]`), 422],
    ['digits in one number', () => upload(`"turns":[],"metadata":{"n":${'9'.repeat(megabyte)}}`), 202],
    [
      'digits as a turn number',
      () => upload(`"turns":[{"turn":${'9'.repeat(megabyte)},"inputs":"","decision":""}]`),
      422,
    ],
    ['blanks before the body', () => ' '.repeat(3 * megabyte) + upload('"turns":[]'), 202],
    [
      'letters without a blank',
      () => upload(`"turns":[{"turn":1,"inputs":"a","decision":"${'a'.repeat(3 * megabyte)}"}],"success":true`),
      202,
    ],
    [
      'quotes',
      () => upload(`"turns":[{"turn":1,"inputs":"a","decision":"${'\\"'.repeat(megabyte)}"}],"success":true`),
      202,
    ],
    [
      'lines of errors',
      () =>
        upload(
          `"turns":[{"turn":1,"inputs":"a","decision":"make","result":"${'error: no\\n'.repeat(200_000)}"}],"success":false`,
        ),
      202,
    ],
    ['key-like text', () => upload(`"turns":[{"turn":1,"inputs":"a","decision":"${'sk-'.repeat(megabyte)}"}]`), 202],
    [
      'almost a URL with a password',
      () => upload(`"turns":[{"turn":1,"inputs":"a","decision":"${'http://a:'.repeat(300_000)}"}]`),
      202,
    ],
    [
      'numbers that are longer when written out, as a decision',
      () => upload(`"turns":[{"turn":1,"inputs":{},"decision":[${'1e20,'.repeat(700_000)}0]}],"success":true`),
      202,
    ],
    [
      'fields of a result',
      () =>
        upload(
          `"turns":[{"turn":1,"inputs":[],"decision":"read","result":{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":"password ${i}"`).join()}}}],"success":true`,
        ),
      202,
    ],
    ['dashes', () => upload(`"turns":[{"turn":1,"inputs":"a","decision":"${'-----BEGIN '.repeat(300_000)}"}]`), 202],
  ])('%s: answered soon, and a job made so ends well', async (_, body, status) => {
    const answer = await store(body());

    expect(answer.status).toBe(status);
    if (status === 202) expect((await next().jobEnded(answer.body.job_id)).status).toBe('completed');
  });

  it('an input of 256 KiB of one word after another is answered', async () => {
    const answer = await next().request('POST', '/enhance_task', {
      body: { tenant_id: unique('large'), input_text: 'word '.repeat(52_000) },
    });

    expect(answer.status).toBe(200);
  });

  it('bodies of 5 MB are a 413 each, twenty at a time', async () => {
    const body = upload(`"turns":[],"metadata":{"x":"${'x'.repeat(5 * megabyte)}"}`);

    const answers = await inParallel(Array.from({ length: 40 }), 20, () => store(body));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
  });
});

describe('gzip', () => {
  afterAll(() => steadiness.check());

  const gzip = { 'content-encoding': 'gzip' };

  it('bombs are a 413 each, and memory stays bounded', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * megabyte, ' '));
    expect(bomb.length).toBeLessThan(megabyte);

    const answers = await inParallel(Array.from({ length: 24 }), 12, () => store(bomb, gzip));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
  });

  it('a bomb inside a bomb is refused', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50 * megabyte)));

    expect([413, 415, 422]).toContain((await store(bomb, gzip)).status);
    expect([413, 415, 422]).toContain((await store(bomb, { 'content-encoding': 'gzip, gzip' })).status);
  });

  const whole = gzipSync(upload('"turns":[]'));

  it.each([
    ['cut in the middle', whole.subarray(0, whole.length / 2)],
    ['cut before the checksum', whole.subarray(0, -8)],
    ['without anything', Buffer.alloc(0)],
    ['only its head', whole.subarray(0, 10)],
    ['with a wrong checksum', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)])],
    ['that is none', Buffer.from(upload('"turns":[]'))],
  ])('%s is a 422', async (_, body) => {
    expect((await store(body, gzip)).status).toBe(422);
  });

  it.each(['br', 'deflate', 'zstd', 'compress', 'nonsense', 'GZIP2'])(
    'another encoding is a 415: %s',
    async (encoding) => {
      expect((await store(whole, { 'content-encoding': encoding })).status).toBe(415);
    },
  );
});
