import type { Interaction } from './interaction.js';

/** Record fields that identify a person, place or case. */
const tellingField =
  /["'](?:\w{0,30}(?:name|street|address\d?|city|zip|phone|e?mail|birth|dob|user|guest|customer|card|account|_id|number)|id)["']\s?:\s?["']([^"'\\]{3,60})["']/gi;
/** Codes of letters and digits, long numbers, e-mail addresses. */
const code =
  /[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,20}|\b(?=\w{0,30}\d)(?=\w{0,30}[A-Za-z])[A-Za-z0-9_]{5,40}\b|\b\d{5,20}\b/g;

/** Values in the raw turns of an attempt that belong to its case and must not be told to another. */
export function valuesOfCase({ upload }: Interaction): Set<string> {
  const values = new Set<string>();
  for (const { decision, result } of upload.turns) {
    for (const text of [decision, result ?? '']) {
      const said = typeof text === 'string' ? text : JSON.stringify(text);
      for (const [, value = ''] of said.matchAll(tellingField)) values.add(value);
      for (const [value] of said.matchAll(code)) values.add(value);
    }
  }
  return values;
}

/** The values that appear whole in a text. */
export function valuesIn(text: string, values: ReadonlySet<string>): string[] {
  const words = new Set((text.match(/[\p{L}\p{N}_@.+-]+/gu) ?? []).map((word) => word.replace(/[.+-]+$/, '')));
  return [...values].filter((value) => (/^[\p{L}\p{N}_@.+-]+$/u.test(value) ? words.has(value) : text.includes(value)));
}
