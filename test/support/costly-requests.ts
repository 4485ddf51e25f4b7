/** The default body limit of the gateway. */
export const limit = 4 * 1024 * 1024;

const turns = [{ turn: 1, inputs: 'key='.repeat(limit / 4 - 50), decision: '' }];
const metadata = Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [`k${index}`, index]));
const input_text = 'delete all that is old; '.repeat(10_900);
const tenant_id = 'attack';

/** Requests that cost the most for what it takes to send them. */
export const costlyRequests: [name: string, path: string, body: object][] = [
  ['4 MiB that look like secrets', '/store_knowledge', { tenant_id, query: '', turns }],
  ['uploads of 250,000 metadata keys', '/store_knowledge', { tenant_id, query: '', turns: [], metadata }],
  ['questions of 256 KiB', '/enhance_task', { tenant_id, input_text }],
];
