/** The name that was most likely meant, or undefined where none is near. */
export function closestName(written: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.ceil(written.length / 5) ? nearest.name : undefined;
}

/** Letters to insert, delete or replace to get from one text to the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
