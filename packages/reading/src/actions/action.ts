/** A JSON, Python or JavaScript value; calls can be nested in values. */
export type Literal = string | number | boolean | null | Literal[] | { [name: string]: Literal };

export type Arguments = { [name: string]: Literal };

/**
 * Kinds of actions. `call`: a tool call, or an order in plain words. `code`: a script or notebook cell. `reply`: text for a
 * person, a label, an answer. `think` and `finish` have no effect.
 */
export type ActionKind = 'command' | 'sql' | 'code' | 'call' | 'http' | 'edit' | 'reply' | 'think' | 'finish';

export interface Action {
  kind: ActionKind;
  /** Program, tool, HTTP method, SQL verb, or `edit`. */
  verb: string;
  /** Path of a request or file, or the first table. */
  object?: string;
  /** For calls and requests. Positional arguments are named `0`, `1`, …. */
  args?: Arguments;
  /** The action as it can be repeated, without fences, tags and thoughts. */
  text: string;
}
