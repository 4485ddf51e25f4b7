import { equalMacs, type RootSecrets } from './root-secrets.js';

/** Why a token is refused. */
export interface TokenProblem {
  reason: 'malformed' | 'unknown_secret' | 'invalid' | 'expired';
  /** Only of an expired token: how far the clock of its maker is behind the clock here; negative if it is ahead. */
  skewSeconds?: number;
}

/** Tokens by which services recognise each other's calls. */
export interface CallTokens {
  /** @param method full name of the gRPC method; the token is good for no other */
  issue(method: string): string;
  /** `undefined` for a valid token. */
  verify(method: string, token: string): TokenProblem | undefined;
}

const minuteMs = 60_000;
/** How far the minute of a token may be from the minute here: covers the life of a token and the skew of clocks. */
const tolerance = 5;
/** More than a process ever needs at a time: minutes, methods and roots. */
const rememberedMacs = 1000;
/** Whole base64 characters, so that a token has one spelling. */
const macBytes = 24;
const shape = /^([\da-f]{8})\.(\d{1,12})\.([\w-]{32})$/;

/**
 * A token names its root secret and the minute in which it was made, and signs that minute and the method. Whoever sees
 * one can repeat calls of that method for a few minutes; TLS prevents that.
 *
 * @param nowMs the wall clock as it is: a clock that never steps back would stay wrong once it was ahead
 */
export function createCallTokens(roots: RootSecrets, nowMs: () => number = Date.now): CallTokens {
  const macs = new Map<string, Buffer>();
  const thisMinute = () => Math.floor(nowMs() / minuteMs);

  function macOf(root: RootSecrets['current'], minute: number, method: string): Buffer {
    return root.mac('call-token', String(minute), method).subarray(0, macBytes);
  }

  /** Only for minutes that are accepted, so that no caller can fill it. */
  function remembered(root: RootSecrets['current'], minute: number, method: string): Buffer {
    const name = `${root.id.toString('hex')}.${minute}.${method}`;
    const known = macs.get(name);
    if (known) return known;
    if (macs.size >= rememberedMacs) macs.clear();
    const made = macOf(root, minute, method);
    macs.set(name, made);
    return made;
  }

  return {
    issue(method) {
      const minute = thisMinute();
      const mac = remembered(roots.current, minute, method);
      return `${roots.current.id.toString('hex')}.${minute}.${mac.toString('base64url')}`;
    },
    verify(method, token) {
      const [, rootId = '', minuteText, macText = ''] = shape.exec(token) ?? [];
      if (minuteText === undefined) return { reason: 'malformed' };
      const root = roots.byId(Buffer.from(rootId, 'hex'));
      if (!root) return { reason: 'unknown_secret' };
      const minute = Number(minuteText);
      const late = thisMinute() - minute;
      const isCurrent = Math.abs(late) <= tolerance;
      const expected = (isCurrent ? remembered : macOf)(root, minute, method);
      if (!equalMacs(Buffer.from(macText, 'base64url'), expected)) return { reason: 'invalid' };
      return isCurrent ? undefined : { reason: 'expired', skewSeconds: late * 60 };
    },
  };
}
