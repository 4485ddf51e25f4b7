import type { Micros } from '../messages/events.js';

/** A moment in ISO 8601 as Python, JavaScript and Go print it. */
export const dateTimeSchema = {
  type: ['string', 'null'],
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?(Z|z|[+-]\\d\\d(:?\\d\\d)?)?$',
  description:
    'ISO 8601 with T or a space, with or without fractional seconds, with Z, an offset or no time zone (UTC), as Python, ' +
    'JavaScript and Go print it.',
} as const;

type DateTimeReading = { micros: Micros; reason?: never } | { reason: string; micros?: never };

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The moment that a text names, or why it names none, in the words that callers of such services know. */
export function readDateTime(text: string): DateTimeReading {
  const parts = pattern.exec(text);
  if (!parts) return { reason: text.length < 10 ? 'input is too short' : 'invalid character in date or time' };
  const [, year = '', month = '', day = '', hour, minute = '', second = '0', fraction = '', zone = 'Z'] = parts;
  if (hour === undefined) return { reason: 'input is too short' };
  if (Number(year) === 0) return { reason: 'year 0 is out of range' };
  if (month < '01' || month > '12') return { reason: 'month value is outside expected range of 1-12' };
  if (day < '01' || Number(day) > daysIn(Number(year), Number(month))) {
    return { reason: 'day value is outside expected range' };
  }
  if (hour > '23') return { reason: 'hour value is outside expected range of 0-23' };
  if (minute > '59') return { reason: 'minute value is outside expected range of 0-59' };
  if (Number(second) > 59) return { reason: 'second value is outside expected range of 0-59' };
  const offset = offsetMinutes(zone);
  if (offset === undefined) return { reason: 'timezone offset must be less than 24 hours' };

  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  return { micros: date.getTime() * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0')) };
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
