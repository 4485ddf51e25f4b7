export interface WindowLimits {
  messages: number;
  bytes: number;
  /** How far reading may be ahead of the committed position: all that has been finished there is repeated after a crash. */
  ahead: number;
}

export interface OfferedEvent {
  offset: number;
  bytes: number;
  account: string;
}

/** What one account has in the window, and which of its events were left out. */
interface Share {
  messages: number;
  bytes: number;
  /** The first and the last event that was read and left out. Everything of this account before the first was taken. */
  leftOut?: { first: number; last: number } | undefined;
}

/**
 * The taken and unfinished events of one partition: bounded, and shared fairly between the accounts in it.
 *
 * Reading goes on past events for which there is no room, because another account's may be behind them. Of those left out only
 * the first and the last offset of each account are kept. When an account runs short, reading returns to its first for
 * another pass, and then to the `frontier`, where nothing has been read yet. A pass takes the events of an account in order,
 * so one that finds no room for an event takes none of its account behind it.
 *
 * Events finish in any order; a position may be committed only up to the first that is unfinished or left out.
 */
export class PartitionWindow {
  readonly #limits: WindowLimits;
  readonly #shares = new Map<string, Share>();
  readonly #unfinished = new Map<number, OfferedEvent>();
  #bytes = 0;
  #frontier = 0;
  /** Where reading goes on. */
  #at = 0;
  #pass = { from: 0, for: undefined as string | undefined, blocked: new Set<string>() };

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  get messages(): number {
    return this.#unfinished.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Everything before it is finished. */
  get finishedTo(): number {
    let to = this.#frontier;
    for (const offset of this.#unfinished.keys()) to = Math.min(to, offset);
    for (const { leftOut } of this.#shares.values()) to = Math.min(to, leftOut?.first ?? to);
    return to;
  }

  /** Called with each event that is read. True if it is taken; it is then unfinished until `finish`. */
  offer(event: OfferedEvent): boolean {
    const { offset, account } = event;
    const isNew = offset >= this.#frontier;
    this.#at = offset + 1;
    this.#frontier = Math.max(this.#frontier, this.#at);
    const share = this.#shares.get(account) ?? { messages: 0, bytes: 0 };
    if (!isNew && !(share.leftOut && offset >= share.leftOut.first)) return false;
    if (this.#mayTake(share, account)) {
      this.#take(event, share);
      return true;
    }
    this.#pass.blocked.add(account);
    share.leftOut = { first: share.leftOut?.first ?? offset, last: Math.max(share.leftOut?.last ?? 0, offset) };
    this.#shares.set(account, share);
    return false;
  }

  finish(offset: number): void {
    const event = this.#unfinished.get(offset);
    const share = event && this.#shares.get(event.account);
    if (!event || !share) return;
    this.#unfinished.delete(offset);
    this.#bytes -= event.bytes;
    share.messages--;
    share.bytes -= event.bytes;
    if (share.messages === 0 && !share.leftOut) this.#shares.delete(event.account);
  }

  /** The offset from which to read on; `undefined`: nothing can be taken now. */
  readFrom(): number | undefined {
    if (this.#isUnderWay()) return this.#at;
    this.#endPass();
    const next = this.#shortest();
    if (next) this.#beginPass(next.offset, next.account);
    else if (this.#at !== this.#frontier) this.#beginPass(this.#frontier);
    const isTooFar = !next && this.#frontier - this.finishedTo >= this.#limits.ahead;
    return isTooFar ? undefined : this.#at;
  }

  /** Whether the pass may still come by events of the account that it is for. */
  #isUnderWay(): boolean {
    const { for: account, blocked } = this.#pass;
    if (account === undefined || blocked.has(account)) return false;
    const { leftOut } = this.#shares.get(account) ?? {};
    return leftOut !== undefined && this.#at <= leftOut.last;
  }

  #mayTake(share: Share, account: string): boolean {
    const { from, blocked } = this.#pass;
    // Otherwise this pass has not been at its first.
    const isInOrder = !share.leftOut || (share.leftOut.first >= from && !blocked.has(account));
    return isInOrder && this.#roomFor(share) > 0;
  }

  #take(event: OfferedEvent, share: Share): void {
    this.#unfinished.set(event.offset, event);
    this.#bytes += event.bytes;
    share.messages++;
    share.bytes += event.bytes;
    if (share.leftOut) this.#passBy(share, event.offset + 1);
    this.#shares.set(event.account, share);
  }

  /** For how many more messages an account has room. Who has none in the window may take one, however large. */
  #roomFor({ messages, bytes }: Share): number {
    const { messages: mostMessages, bytes: mostBytes } = this.#limits;
    if (this.#bytes >= mostBytes || (messages > 0 && bytes >= mostBytes / this.#accounts())) return 0;
    return Math.min(mostMessages - this.messages, this.#messagesEach() - messages);
  }

  #accounts(): number {
    return Math.max(1, this.#shares.size);
  }

  #messagesEach(): number {
    return Math.max(1, Math.floor(this.#limits.messages / this.#accounts()));
  }

  /** The account to read for: the one with the fewest in the window, if enough of its events fit to be worth a pass. */
  #shortest(): { account: string; offset: number } | undefined {
    let found: { account: string; offset: number; messages: number } | undefined;
    for (const [account, share] of this.#shares) {
      const { messages, leftOut } = share;
      const room = leftOut ? this.#roomFor(share) : 0;
      const isWorthIt = room > 0 && (messages === 0 || room >= this.#messagesEach() / 2);
      if (!leftOut || !isWorthIt) continue;
      const isShorter =
        !found || messages < found.messages || (messages === found.messages && leftOut.first < found.offset);
      if (isShorter) found = { account, offset: leftOut.first, messages };
    }
    return found;
  }

  #beginPass(from: number, account?: string): void {
    this.#pass = { from, for: account, blocked: new Set() };
    this.#at = from;
  }

  /** Notes how far it came: what it has passed by of an account without leaving anything out is taken. */
  #endPass(): void {
    for (const [account, share] of this.#shares) {
      const isPassed = share.leftOut && share.leftOut.first >= this.#pass.from && !this.#pass.blocked.has(account);
      if (isPassed) this.#passBy(share, this.#at);
    }
    this.#pass = { from: this.#at, for: undefined, blocked: new Set() };
  }

  #passBy(share: Share, to: number): void {
    const { first, last } = share.leftOut ?? { first: to, last: 0 };
    share.leftOut = to > last ? undefined : { first: Math.max(first, to), last };
  }
}
