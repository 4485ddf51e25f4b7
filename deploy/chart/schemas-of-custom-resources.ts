import { parseAllDocuments } from 'yaml';

export interface CustomResourceSchema {
  group: string;
  /** Kind, in lower case, and version: `servicemonitor_v1`. */
  name: string;
  schema: unknown;
}

interface Definition {
  kind: string;
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema?: { openAPIV3Schema?: Schema } }[];
  };
}

type Schema = Record<string, unknown>;

/** JSON schemas of the definitions in a file, one for each version. They refuse fields that the definition does not have, as the server does. */
export function schemasOfCustomResources(yaml: string): CustomResourceSchema[] {
  const definitions = parseAllDocuments(yaml).map((document) => document.toJS() as Definition | null);
  return definitions.flatMap((definition) =>
    definition?.kind === 'CustomResourceDefinition' ? schemasOf(definition) : [],
  );
}

function schemasOf({ spec: { group, names, versions } }: Definition): CustomResourceSchema[] {
  return versions.flatMap(({ name, schema }) => {
    const described = schema?.openAPIV3Schema;
    if (!described) return [];
    const properties = {
      ...(strict(described)['properties'] as Schema),
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      // The server knows what belongs there; definitions do not say.
      metadata: { type: 'object' },
    };
    return { group, name: `${names.kind.toLowerCase()}_${name}`, schema: { ...strict(described), properties } };
  });
}

/**
 * OpenAPI as Kubernetes writes it, in the words of JSON schema. What is below `anyOf` and its like stays as it is: it narrows the
 * properties beside it and names only some of them.
 */
function strict(schema: Schema): Schema {
  const { properties, items, additionalProperties, ...rest } = schema;
  const result: Schema = {
    ...rest,
    ...(isSchema(items) && { items: strict(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: strict(additionalProperties) }),
    ...(isSchema(properties) && { properties: mapped(properties) }),
  };
  if (isSchema(properties) && additionalProperties === undefined && !schema['x-kubernetes-preserve-unknown-fields']) {
    result['additionalProperties'] = false;
  }
  if (schema['x-kubernetes-int-or-string']) result['type'] = ['integer', 'string'];
  if (schema['nullable'] && typeof result['type'] === 'string') result['type'] = [result['type'], 'null'];
  return result;
}

function mapped(properties: Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strict(value as Schema)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
