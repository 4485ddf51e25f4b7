/**
 * Takes every schema with a title out of the document and puts a reference in its place, so that a schema that is used in
 * several places is told once.
 */
export function nameSchemas(document: object): { document: object; schemas: Record<string, unknown> } {
  const schemas: Record<string, unknown> = {};

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { title } = node as { title?: unknown };
    const walked = Object.fromEntries(
      Object.entries(node).map(([name, child]) => [name, keep(name) ? child : walk(child)]),
    );
    if (typeof title !== 'string' || !isSchema(node)) return walked;
    schemas[title] = walked;
    return { $ref: `#/components/schemas/${title}` };
  }

  return { document: walk(document) as object, schemas };
}

/** Examples are data: a title in them is no schema's. */
function keep(name: string): boolean {
  return name === 'example' || name === 'examples' || name === 'info';
}

function isSchema(node: object): boolean {
  return 'type' in node || 'oneOf' in node;
}
