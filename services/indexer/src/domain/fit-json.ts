import { cutText } from './cut-text.js';

const widest = { textBytes: 16_384, items: 1_024 };
const narrowest = { textBytes: 16, items: 4 };

/**
 * The value as JSON of at most `maxBytes`. What is too large is narrowed step by step: long texts keep their beginning, long
 * lists their two ends, so that everything keeps its shape.
 */
export function fitJson(value: unknown, maxBytes: number): string {
  let json = JSON.stringify(value);
  let { textBytes, items } = widest;
  while (Buffer.byteLength(json) > maxBytes && textBytes >= narrowest.textBytes) {
    json = JSON.stringify(narrow(value, textBytes, items));
    textBytes /= 2;
    items = Math.max(narrowest.items, items / 2);
  }
  return json;
}

function narrow(value: unknown, textBytes: number, items: number): unknown {
  if (typeof value === 'string') return cutText(value, textBytes);
  if (Array.isArray(value)) return bothEnds(value, items).map((item) => narrow(item, textBytes, items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, narrow(part, textBytes, items)]));
}

function bothEnds(list: unknown[], items: number): unknown[] {
  return list.length <= items ? list : [...list.slice(0, items / 2), ...list.slice(-items / 2)];
}
