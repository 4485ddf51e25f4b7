import { retryAfterMs } from './model-failure.js';

const now = Date.UTC(2026, 0, 1);

describe('how long an endpoint wants to be left alone', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date', { 'retry-after': new Date(now + 30_000).toUTCString() }, 30_000],
    ['a date that has passed', { 'retry-after': new Date(now - 30_000).toUTCString() }, 0],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    ['a day, which is too long to believe', { 'retry-after': '86400' }, 300_000],
    ['something else', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('is said by %s', (_, headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});
