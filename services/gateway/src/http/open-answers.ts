import type { ServerResponse } from 'node:http';

/** The answers that are not finished yet: what a stop has to wait for. */
export interface OpenAnswers {
  add(res: ServerResponse): void;
  delete(res: ServerResponse): void;
  /** From now on every connection closes after its answer. */
  closeConnections(): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<ServerResponse>();
  let isClosing = false;

  return {
    add(res) {
      if (isClosing) res.setHeader('Connection', 'close');
      open.add(res);
    },
    delete: (res) => open.delete(res),
    closeConnections() {
      isClosing = true;
      for (const res of open) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}
