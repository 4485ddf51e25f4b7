export type ActionKind = 'shell' | 'sql' | 'code' | 'tool' | 'browser' | 'order' | 'reply' | 'think' | 'finish';

/** How a decision dressed its action up. What the environment takes literally, some of these break. */
export type Wrapping = 'fence' | 'backticks' | 'prose';

/** One thing that an agent did, taken out of whatever was wrapped around it. */
export interface Action {
  kind: ActionKind;
  /** Verbatim and bounded. */
  text: string;
  /** The program, the tool, the verb, the statement: what the action would be called. */
  name: string;
  /** Named arguments of a tool call, each as short text. */
  args: Readonly<Record<string, string>>;
  wrapping?: Wrapping;
}
