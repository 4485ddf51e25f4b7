const example = /(?:^|\s)Example:[^\S\n]*(?:(\S.*)|\n((?:[^\S\n]+\S.*(?:\n|$))+))/;

/** The action that a recommendation shows: behind `Example:` to the end of the line, or the indented lines below it. */
export function exampleIn(text: string): string | undefined {
  const [, inline, below] = example.exec(text) ?? [];
  return (inline ?? below)?.trim();
}
