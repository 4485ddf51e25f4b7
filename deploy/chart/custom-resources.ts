import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import type { Fetchable } from '../engines/fetch-once.js';
import { findGo } from '../engines/prerequisites.js';
import { lastLines, runProgram } from '../engines/processes.js';

/** A Go module that contains the definitions of its custom resources. */
interface PinnedModule {
  path: string;
  version: string;
  /** As go.sum has it. */
  sum: string;
  folder: string;
}

const pinned = new URL('../../chart/pinned/custom-resources/modules.json', import.meta.url);

/** Schemas of the custom resources that the chart may create, for kubeconform: `<group>/<kind>_<version>.json`. */
export async function customResources(): Promise<Fetchable> {
  const list = await readFile(pinned, 'utf8');
  const modules = JSON.parse(list) as PinnedModule[];
  return {
    name: `custom-resources-${createHash('sha256').update(list).digest('hex').slice(0, 12)}`,
    title: `schemas of custom resources (of ${modules.length} Go modules)`,
    async fetch(folder) {
      for (const module of modules) {
        const definitions = join(await download(module), module.folder);
        for (const file of (await readdir(definitions)).filter((name) => name.endsWith('.yaml'))) {
          const schemas = schemasOfCustomResources(await readFile(join(definitions, file), 'utf8'));
          for (const { group, name, schema } of schemas) {
            await mkdir(join(folder, group), { recursive: true });
            await writeFile(join(folder, group, `${name}.json`), JSON.stringify(schema));
          }
        }
      }
    },
  };
}

/** The folder of the module, verified against its pinned checksum. */
async function download({ path, version, sum }: PinnedModule): Promise<string> {
  const go = await findGo();
  if (!go) throw new Error(`${path} needs Go to be fetched`);
  const { ok, stdout, output } = await runProgram(go.command, ['mod', 'download', '-json', `${path}@${version}`], {
    // Outside any module, so that Go looks at nothing else.
    cwd: tmpdir(),
  });
  if (!ok) throw new Error(`Go could not fetch ${path} ${version}:\n${lastLines(output)}`);
  const got = JSON.parse(stdout) as { Dir: string; Sum: string };
  if (got.Sum !== sum) throw new Error(`${path} ${version} has the checksum ${got.Sum} instead of ${sum}`);
  return got.Dir;
}

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

/** JSON schemas of the definitions in a file, one per version. They reject unknown fields, as the server does. */
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
      // Definitions leave this to the server.
      metadata: { type: 'object' },
    };
    return { group, name: `${names.kind.toLowerCase()}_${name}`, schema: { ...strict(described), properties } };
  });
}

/**
 * Converts Kubernetes' OpenAPI to JSON schema. Leaves `anyOf` and the like alone: these narrow the properties beside them and
 * name only some.
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
