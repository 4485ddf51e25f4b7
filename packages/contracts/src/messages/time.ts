/**
 * Microseconds since the epoch, UTC. A plain number: exact until the year 2255, and it travels through JSON and through
 * proto int64 without a special case.
 */
export type Micros = number;
