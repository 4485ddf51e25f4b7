import { family, type Task } from '../world.js';

export interface Order {
  customer: string;
  item: string;
  total: number;
  status: 'new' | 'sent' | 'delivered';
  /** Days since delivery. */
  days: number;
  stock: number;
}

export interface DeskTask extends Task {
  /** Exactly what must have happened when the case closes. */
  effects: readonly string[];
}

export const orders: Record<string, Order> = {};

const items = ['lamp', 'kettle', 'chair', 'rug', 'clock', 'radio', 'mirror', 'shelf'];

/** Each case has its own order. */
function order(values: Partial<Order>): { id: string; customer: string; item: string } {
  const number = 101 + Object.keys(orders).length * 7;
  const id = `O-${number}`;
  const made: Order = {
    customer: `C-${number % 90}`,
    item: items[number % items.length] as string,
    total: 20 + (number % 9) * 15,
    status: 'delivered',
    days: 3 + (number % 20),
    stock: 4,
    ...values,
  };
  orders[id] = made;
  return { id, customer: made.customer, item: made.item };
}

const call = (tool: string, values: Record<string, string> = {}) => JSON.stringify({ tool, ...values });
const solved = (customer: string, ...calls: string[]) => [call('verify', { customer }), ...calls, call('close')];

/** One order, one tool: the usual case. */
function simple(
  name: string,
  count: number,
  values: Partial<Order>,
  tool: string,
  wordings: readonly string[],
): DeskTask[] {
  const cases = Array.from({ length: count }, () => order(values));
  const instances = cases.map(({ customer, id, item }) => [customer, id, item].join(', ')).join('; ');
  return family(name, instances, wordings, (customer, id) => ({
    solution: solved(customer, call(tool, { order: id })),
    effects: [`${id} ${tool}`],
  }));
}

const returns = [
  'Customer {0} brings back the {2} of order {1} and wants the money back.',
  'The {2} from order {1} is not what customer {0} wanted. Money back, please.',
];
const stops = ['Customer {0} no longer wants order {1}.', 'Please stop order {1}, says customer {0}.'];
const broken = [
  'The {2} of order {1} came broken. Customer {0} wants another one.',
  'Customer {0}: my {2} (order {1}) is broken, send me a new one.',
];
const managers = [
  'Customer {0} is angry about order {1} and wants to talk to a manager.',
  'A lawyer of customer {0} writes about order {1}. That is for a manager.',
];
const unsent: Partial<Order> = { status: 'new', days: 0 };

const moves = ['4 Mill Lane', '17 Park Row', '9 High Street', '2 Quay'].map((place) => ({ place, ...order(unsent) }));

/** Two orders of one customer. */
function pair(values: Partial<Order>): string {
  const one = order(values);
  return `${one.customer}, ${one.id}, ${order({ ...values, customer: one.customer }).id}`;
}

export const deskTasks: DeskTask[] = [
  ...simple('money-back', 5, {}, 'refund', returns),
  ...simple('money-back-late', 4, { days: 45 }, 'credit', returns),
  ...simple('money-back-much', 4, { total: 350 }, 'escalate', returns),
  ...simple('stop-new', 4, unsent, 'cancel', stops),
  ...simple('stop-sent', 4, { status: 'sent', days: 0 }, 'recall', stops),
  ...simple('broken', 4, {}, 'replace', broken),
  ...simple('broken-gone', 4, { stock: 0 }, 'refund', broken),
  ...simple('manager', 3, {}, 'escalate', managers),
  ...family(
    'new-address',
    moves.map(({ customer, id, place }) => `${customer}, ${id}, ${place}`).join('; '),
    ['Order {1} of customer {0} shall go to {2}.', 'Customer {0} has moved: send order {1} to {2}.'],
    (customer, id, address) => ({
      solution: solved(customer, call('address', { order: id, address })),
      effects: [`${id} address ${address}`],
    }),
  ),
  ...family(
    'both-back',
    pair({}),
    ['Customer {0} wants to give back both orders, {1} and {2}.'],
    (customer, one, other) => ({
      solution: solved(customer, call('refund', { order: one }), call('refund', { order: other })),
      effects: [`${one} refund`, `${other} refund`],
    }),
  ),
  ...family('both-off', pair(unsent), ['Customer {0} calls off both {1} and {2}.'], (customer, one, other) => ({
    solution: solved(customer, call('cancel', { order: one }), call('cancel', { order: other })),
    effects: [`${one} cancel`, `${other} cancel`],
  })),
  ...family(
    'one-of-two',
    `${pair({})}; ${pair({})}`,
    ['Customer {0} keeps what came with order {1} but wants the money back for order {2}.'],
    (customer, _, other) => ({
      solution: solved(customer, call('refund', { order: other })),
      effects: [`${other} refund`],
    }),
  ),
];
