import { InvalidArgumentError } from 'commander';

const unitMicros = { s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6 };

/** `90s`, `30m`, `24h`, `7d` or `0`, in microseconds. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new InvalidArgumentError('It is a number and a unit: 90s, 30m, 24h, 7d; or 0.');
  }
  return Number(number) * unitMicros[unit as keyof typeof unitMicros];
}
