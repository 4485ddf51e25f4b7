import { Agent, request } from 'node:http';

/** A request whose body is sent by hand, on a connection of its own. */
export function openRequest(url: string, key: string, bytes: number) {
  const agent = new Agent();
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': bytes };
  const sent = request(`${url}/store_knowledge`, { method: 'POST', headers, agent });
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('error', () => resolve(undefined));
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
  });
  return {
    status,
    write: (text: string) => sent.write(text),
    destroy() {
      sent.destroy();
      agent.destroy();
    },
  };
}
