import { setTimeout as sleep } from 'node:timers/promises';

import type { Place } from '../evidence.js';
import { countAnswer, type History, witness } from './history.js';

/** An operation and the two valid answers to a proper request. */
export interface Operation {
  name: string;
  success: number;
  /** The `error` of its 500. */
  failure: string;
}

export const operations = {
  store: { name: 'store_knowledge', success: 202, failure: 'queueing_failed' },
  enhance: { name: 'enhance_task', success: 200, failure: 'enhance_failed' },
  delete: { name: 'delete_by_intent', success: 200, failure: 'delete_failed' },
  status: { name: 'knowledge_status', success: 200, failure: 'status_failed' },
} as const satisfies Record<string, Operation>;

export interface Call {
  operation: Operation;
  /** After the operation's name. */
  path?: string;
  query?: Record<string, string>;
  /** Text is sent as it is, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** What the answer may be about. */
  place?: Place;
  /** Part of the answer that only repeats the request. */
  echo?: string;
  /** Expected status, if not the operation's success. */
  expected?: readonly number[];
  /** One address instead of any. */
  gateway?: string;
}

export interface Seen<Body> {
  /** Undefined when there was no answer. */
  status: number | undefined;
  body: Body | undefined;
  text: string;
  gateway: string;
  begunAt: number;
  endedAt: number;
}

/** An account with one key and its default collection. It is used for several histories. */
export interface Member {
  account: string;
  key: string;
  home: Place;
}

/** A member that sends requests. Every outcome is counted and checked against the history; nothing throws. */
export interface Caller extends Readonly<Member> {
  send<Body>(call: Call): Promise<Seen<Body>>;
  /** From now on a 401 is correct. */
  expectRefusal(): void;
}

export interface CallerOptions {
  member: Member;
  history: History;
  /** Where to send the next request. */
  address(): string;
  /** Longer than any deadline of the service. */
  timeoutMs?: number;
  /** Retries broken connections, as clients of load balancers do; nothing else may go wrong. */
  flawless?: boolean;
}

const unansweredPauseMs = 200;
const connectionTries = 4;

export function createCaller(options: CallerOptions): Caller {
  const { member, history, address, timeoutMs = 20_000, flawless = false } = options;
  const { account, key } = member;
  history.owners.set(key, account);
  let revoked = false;

  return {
    ...member,
    expectRefusal() {
      revoked = true;
    },
    async send<Body>(call: Call) {
      let seen = await request<Body>(call, call.gateway ?? address());
      for (let tries = 1; flawless && seen.status === undefined && tries < connectionTries; tries++) {
        countAnswer(history, 'broken connections');
        seen = await request<Body>(call, call.gateway ?? address());
      }
      countAnswer(history, `${call.operation.name} ${seen.status ?? 'unanswered'}`);
      judge(call, seen);
      // Wait a little before retrying an unreachable server.
      if (seen.status === undefined) await sleep(unansweredPauseMs);
      return seen;
    },
  };

  async function request<Body>(call: Call, gateway: string): Promise<Seen<Body>> {
    const { operation, path = '', query, body, headers } = call;
    const url = `${gateway}/${operation.name}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const begunAt = Date.now();
    try {
      const answer = await fetch(url, {
        method: operation === operations.status ? 'GET' : 'POST',
        headers: {
          'x-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      return { status: answer.status, body: parse<Body>(text), text, gateway, begunAt, endedAt: Date.now() };
    } catch {
      return { status: undefined, body: undefined, text: '', gateway, begunAt, endedAt: Date.now() };
    }
  }

  function judge(call: Call, { status, body, text, gateway }: Seen<unknown>): void {
    const { operation, place, echo, expected = [operation.success] } = call;
    if (flawless && (status === undefined || status === 500)) {
      history.oddities.push(`${operation.name} answered ${status} where nothing was to be noticed: ${text}`);
    }
    if (status === undefined) return;
    const shown = echo === undefined ? text : text.replaceAll(JSON.stringify(echo).slice(1, -1), '');
    witness(history, shown, { account, ...(place ? { place } : {}) });
    const { error } = (body ?? {}) as { error?: string };
    const isProper =
      expected.includes(status) || (status === 500 && error === operation.failure) || (status === 401 && revoked);
    if (!isProper) history.oddities.push(`${operation.name} answered ${status} at ${gateway}: ${text.slice(0, 300)}`);
  }
}

function parse<Body>(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}
