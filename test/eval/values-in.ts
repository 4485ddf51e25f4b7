import type { Interaction } from './interaction.js';

/** Fields of records that say who or where somebody is, and what identifies a case. */
const tellingField =
  /["'](?:\w{0,30}(?:name|street|address\d?|city|zip|phone|e?mail|birth|dob|user|guest|customer|card|account|_id|number)|id)["']\s?:\s?["']([^"'\\]{3,60})["']/gi;
/** Codes of letters and digits, long numbers, addresses of mail. */
const code =
  /[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,20}|\b(?=\w{0,30}\d)(?=\w{0,30}[A-Za-z])[A-Za-z0-9_]{5,40}\b|\b\d{5,20}\b/g;

/** What in the raw turns of an attempt belongs to its case: none of it may be told to anybody else. */
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

/** The values that stand in a text as a whole. */
export function valuesIn(text: string, values: ReadonlySet<string>): string[] {
  const words = new Set((text.match(/[\p{L}\p{N}_@.+-]+/gu) ?? []).map((word) => word.replace(/[.+-]+$/, '')));
  return [...values].filter((value) => (/^[\p{L}\p{N}_@.+-]+$/u.test(value) ? words.has(value) : text.includes(value)));
}
