const limits = { texts: 4_000, chars: 4_000 };
/** For results far larger than their text. */
export const forLargeResults = { texts: 1_000, chars: 500 };

/** Caches readings by text, evicting those not used recently. Callers must not mutate a reading. */
export function memoizeByText<Reading>(read: (text: string) => Reading, most = limits): (text: string) => Reading {
  let recent = new Map<string, Reading>();
  let older = new Map<string, Reading>();
  return (text) => {
    if (text.length > most.chars) return read(text);
    let reading = recent.get(text);
    if (reading === undefined) {
      reading = older.get(text) ?? read(text);
      if (recent.size >= most.texts / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(text, reading);
    }
    return reading;
  };
}
