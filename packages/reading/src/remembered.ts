/** Of texts that come again and again, as tasks and examples of past runs do. */
const limits = { texts: 4_000, chars: 4_000 };
/** Where a reading takes far more memory than its text. */
export const fewShortTexts = { texts: 1_000, chars: 500 };

/** Reads each text once, as long as it is asked for now and then. For readings that nobody changes. */
export function remembered<Reading>(read: (text: string) => Reading, most = limits): (text: string) => Reading {
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
