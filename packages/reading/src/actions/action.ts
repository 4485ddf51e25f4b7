/** A value as JSON, Python and JavaScript write it; a call inside a value is one of them. */
export type Literal = string | number | boolean | null | Literal[] | { [name: string]: Literal };

export type Arguments = { [name: string]: Literal };

/**
 * What kind of thing an agent did. `call`: a tool with arguments, an order in bare words too. `code`: a script or a cell.
 * `reply`: words to a person, a label, an answer. `think` and `finish` do nothing to the world.
 */
export type ActionKind = 'command' | 'sql' | 'code' | 'call' | 'http' | 'edit' | 'reply' | 'think' | 'finish';

export interface Action {
  kind: ActionKind;
  /** What is done: the program, the tool, the method of a request, the verb of a statement, `edit`. */
  verb: string;
  /** What it is done to: the path of a request or of a file, the first table. */
  object?: string;
  /** Of calls and requests. Arguments without a name are called by their place: `0`, `1`. */
  args?: Arguments;
  /** The action as it can be done again, without fences, tags and thoughts around it. */
  text: string;
}
