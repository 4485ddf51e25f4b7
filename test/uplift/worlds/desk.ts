import type { Step, World } from '../world.js';
import { type DeskTask, deskTasks, type Order, orders } from './desk-tasks.js';

const mostReplies = 4;
/** The second mistake hands the case to a colleague. */
const mostRefusals = 1;

type Call = { tool: string; order?: string; customer?: string; address?: string };

const system = `You work at the service desk of a shop. Reply with the tool calls that settle the case, one JSON object per line, and nothing else. The tools:
{"tool": "lookup", "order": "O-1"}  shows an order
{"tool": "verify", "customer": "C-1"}  checks who the customer is
{"tool": "refund", "order": "O-1"}  pays the money back
{"tool": "credit", "order": "O-1"}  gives a voucher instead of money
{"tool": "cancel", "order": "O-1"}  stops an order
{"tool": "recall", "order": "O-1"}  calls a parcel back
{"tool": "replace", "order": "O-1"}  sends the item again
{"tool": "address", "order": "O-1", "address": "…"}  changes where it goes
{"tool": "escalate", "order": "O-1"}  hands it to a manager
{"tool": "close"}  ends the case, always the last call
Use only the tools that the case needs. After a second refused call a colleague takes over.`;

/** Business rules: what each tool refuses and does. */
const tools: Record<string, (order: Order, call: Call) => string | { does: string }> = {
  refund(order) {
    if (order.status !== 'delivered') return 'refused: it is not delivered; cancel or recall it';
    if (order.days > 30) return 'refused: delivered more than 30 days ago; give credit instead';
    if (order.total > 200) return 'refused: above 200; escalate it';
    return { does: 'refund' };
  },
  credit: (order) =>
    order.days > 30 ? { does: 'credit' } : 'refused: credit is for what was delivered more than 30 days ago',
  cancel: (order) =>
    order.status === 'new' ? { does: 'cancel' } : 'refused: it has left the house; recall the parcel',
  recall: (order) => (order.status === 'sent' ? { does: 'recall' } : 'refused: there is no parcel on its way'),
  replace: (order) => (order.stock > 0 ? { does: 'replace' } : 'refused: out of stock; refund it'),
  address(order, { address }) {
    if (!address) return 'refused: which address?';
    return order.status === 'new'
      ? { does: `address ${address}` }
      : 'refused: it has left the house; recall the parcel';
  },
  escalate: () => ({ does: 'escalate' }),
};

export const deskWorld: World = {
  name: 'desk',
  system,
  tasks: deskTasks,
  mostReplies,
  readAction: (reply) =>
    reply
      .match(/\{[^{}]*\}/g)
      ?.map((call) => call.replace(/\s+/g, ' '))
      .join('\n') ?? reply.trim(),
  async begin(task) {
    const verified = new Set<string>();
    const done: string[] = [];
    let refusals = 0;
    return {
      async act(action) {
        const steps: Step[] = [];
        // Calls after a refused one are not executed.
        for (const line of action.split('\n')) {
          const call = readCall(line);
          const result = call === undefined ? 'refused: not a JSON object with a tool' : use(call);
          steps.push({ action: line, result });
          if (result === 'closed') {
            const solved = [...done].sort().join('\n') === [...(task as DeskTask).effects].sort().join('\n');
            return { steps, ended: true, solved };
          }
          if (result.startsWith('refused')) return { steps, ended: ++refusals > mostRefusals, solved: false };
        }
        return { steps, ended: false, solved: false };
      },
      async end() {},
    };

    function use(call: Call): string {
      if (call.tool === 'close') return 'closed';
      if (call.tool === 'verify') {
        if (!Object.values(orders).some(({ customer }) => customer === call.customer))
          return 'refused: no such customer';
        verified.add(call.customer as string);
        return `${call.customer} is verified`;
      }
      const order = orders[call.order ?? ''];
      if (order === undefined) return 'refused: no such order';
      if (call.tool === 'lookup') return JSON.stringify({ order: call.order, ...order });
      const tool = tools[call.tool];
      if (tool === undefined) return 'refused: no such tool';
      if (!verified.has(order.customer) && call.tool !== 'escalate')
        return `refused: verify customer ${order.customer} first`;
      const outcome = tool(order, call);
      if (typeof outcome === 'string') return outcome;
      const effect = `${call.order} ${outcome.does}`;
      if (done.includes(effect)) return 'already done';
      done.push(effect);
      return 'done';
    }
  },
};

function readCall(action: string): Call | undefined {
  try {
    const call = JSON.parse(action) as Call;
    return typeof call.tool === 'string' ? call : undefined;
  } catch {
    return undefined;
  }
}
