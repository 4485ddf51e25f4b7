/** Texts that come again and again, as tasks and examples of past runs do. */
const mostTexts = 4_000;
const longestText = 4_000;

/** Reads each text once, as long as it is asked for now and then. For readings that nobody changes. */
export function remembered<Reading>(read: (text: string) => Reading): (text: string) => Reading {
  let recent = new Map<string, Reading>();
  let older = new Map<string, Reading>();
  return (text) => {
    if (text.length > longestText) return read(text);
    let reading = recent.get(text);
    if (reading === undefined) {
      reading = older.get(text) ?? read(text);
      if (recent.size >= mostTexts / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(text, reading);
    }
    return reading;
  };
}
