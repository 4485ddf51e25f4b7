const meanings: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** A boolean as clients really send it. */
export const lenientBooleanSchema = {
  anyOf: [
    { type: 'boolean' },
    { type: 'integer', enum: [0, 1] },
    {
      type: 'string',
      pattern: '^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|0|1)$',
    },
    { type: 'null' },
  ],
  description:
    'Also as text in any case (true, false, yes, no, on, off, 1, 0) and as 1 or 0. Absent or null: not known.',
} as const;

/** Undefined for what is no boolean in any spelling. */
export function readLenientBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'string' ? meanings.get(value.toLowerCase()) : undefined;
}
