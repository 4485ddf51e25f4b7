import { AppError } from './app-error.js';

/** Where the next page of a list begins, for a caller who sends it back as it is. */
export function writeCursor(place: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Throws AppError `invalid_argument` if it is not the place of such a list. */
export function readCursor<Place extends unknown[]>(
  cursor: string,
  isPlace: (parts: unknown[]) => parts is Place,
): Place {
  const parts = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!isPlace(parts)) throw new AppError('invalid_argument', 'The cursor does not belong to this list');
  return parts;
}

/** The place in a list that is in order of a time, or another number, and of an id. */
export function isTimeAndId(parts: unknown[]): parts is [number, string] {
  return Number.isSafeInteger(parts[0]) && typeof parts[1] === 'string';
}

function parsed(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
