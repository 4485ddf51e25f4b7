import { useEffect, useState } from 'preact/hooks';
import { asApiError } from './load';

const undoMs = 10_000;
const readMs = 6000;

interface Notice {
  id: number;
  text: string;
  isError?: boolean;
  undo?(): void;
}

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** What waits until nobody can undo it any more. */
const waiting = new Map<number, () => void>();

function show(notice: Omit<Notice, 'id'>, forMs: number): number {
  const id = ++lastId;
  update([...notices, { id, ...notice }]);
  setTimeout(() => hide(id), forMs);
  return id;
}

function hide(id: number): void {
  update(notices.filter((notice) => notice.id !== id));
}

function update(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function say(text: string): void {
  show({ text }, readMs);
}

export function complain(error: unknown): void {
  show({ text: asApiError(error).message, isError: true }, undoMs);
}

interface Undoable {
  text: string;
  /** Does it, or takes it back. */
  undo(): void;
}

/** Tells that something is done and offers to take it back. */
export function offerUndo({ text, undo }: Undoable): void {
  const id = show(
    {
      text,
      undo() {
        hide(id);
        undo();
      },
    },
    undoMs,
  );
}

interface Delayed extends Undoable {
  /** Sends it. Runs after ten seconds, or when the page is left, unless it was undone. */
  send(): void;
}

/** For what the server cannot take back: it is sent only when nobody can undo it any more. */
export function sendUnlessUndone({ text, undo, send }: Delayed): void {
  const id = show(
    {
      text,
      undo() {
        clearTimeout(timer);
        waiting.delete(id);
        hide(id);
        undo();
      },
    },
    undoMs,
  );
  const finish = () => {
    clearTimeout(timer);
    if (waiting.delete(id)) send();
  };
  const timer = setTimeout(finish, undoMs);
  waiting.set(id, finish);
}

/** Before the page or the session ends. */
export function sendAllWaiting(): void {
  for (const finish of [...waiting.values()]) finish();
}

addEventListener('pagehide', sendAllWaiting);

const hidden = new Set<string>();

/** Ids that are shown as deleted while their deletion can still be undone, and until the next load. */
export function useHidden(): { has(id: string): boolean; add(id: string): void; remove(id: string): void } {
  useUpdates();
  return {
    has: (id) => hidden.has(id),
    add(id) {
      hidden.add(id);
      update(notices);
    },
    remove(id) {
      hidden.delete(id);
      update(notices);
    },
  };
}

/** Renders again whenever something is shown or hidden, from whichever screen. */
function useUpdates(): void {
  const [, setRound] = useState(0);
  useEffect(() => {
    const listener = () => setRound((round) => round + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}

export function Notices() {
  useUpdates();
  return (
    <div class="notices" role="status">
      {notices.map(({ id, text, isError, undo }) => (
        <div key={id} class={isError ? 'notice error' : 'notice'}>
          <span>{text}</span>
          {undo ? (
            <button type="button" onClick={undo}>
              Undo
            </button>
          ) : (
            <button type="button" aria-label="Close this message" onClick={() => hide(id)}>
              ✕
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
