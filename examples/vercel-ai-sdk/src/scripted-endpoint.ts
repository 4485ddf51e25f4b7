import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedEndpoint {
  url: string;
  close(): void;
}

interface Message {
  role: string;
  content: string;
}

/**
 * An OpenAI-compatible endpoint in place of a model, so that the example needs no key. It follows a recommendation if it gets one;
 * otherwise it first guesses a column that does not exist.
 */
export async function startScriptedEndpoint(): Promise<ScriptedEndpoint> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: Message[] };
      const message = reply(messages);
      const choice = { index: 0, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop', message };
      const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ id: 'scripted', object: 'chat.completion', model: 'scripted', choices: [choice], usage }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.close() };
}

function reply(messages: readonly Message[]): object {
  const task = messages.find(({ role }) => role === 'user')?.content ?? '';
  const [, year] = /(\d{4})/.exec(task) ?? [];
  const [, recommended] = /Example: (.*)/.exec(task) ?? [];
  const last = messages.at(-1);
  if (last?.role !== 'tool') return call(recommended ?? 'SELECT customer, COUNT(*) FROM orders GROUP BY customer');
  if (!last.content.includes('Error')) return { role: 'assistant', content: `Orders in ${year}: ${last.content}` };
  return call(
    `SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.placed_on LIKE '${year}%' GROUP BY c.id`,
  );
}

function call(query: string): object {
  const made = { name: 'sql', arguments: JSON.stringify({ query }) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call-${query.length}`, type: 'function', function: made }],
  };
}
