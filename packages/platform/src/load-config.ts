import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { ErrorObject } from 'ajv';

import { AppError } from './app-error.js';

/** One environment variable: JSON Schema of its value, and its documentation. */
export interface ConfigProperty {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** The value is never printed. */
  readonly secret?: true;
}

/**
 * The configuration of a service, or of a process: the properties are the names of environment variables. Schemas are
 * declared `as const satisfies ConfigSchema` and merged by spreading their properties.
 */
export interface ConfigSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ConfigProperty>>;
  readonly required?: readonly string[];
}

/** The values that a schema describes: a variable without a default that is not required may be absent. */
export type ConfigOf<Schema extends ConfigSchema> = {
  [Name in PresentName<Schema>]: ValueOf<Schema['properties'][Name]>;
} & {
  [Name in Exclude<keyof Schema['properties'], PresentName<Schema>>]?: ValueOf<Schema['properties'][Name]>;
};

/** The values that several schemas describe together. */
export type ConfigOfAll<Schemas extends readonly ConfigSchema[]> = Schemas extends readonly [
  infer First extends ConfigSchema,
  ...infer Rest extends readonly ConfigSchema[],
]
  ? ConfigOf<First> & ConfigOfAll<Rest>
  : unknown;

type PresentName<Schema extends ConfigSchema> = {
  [Name in keyof Schema['properties']]: Schema['properties'][Name] extends { default: string | number | boolean }
    ? Name
    : Name extends RequiredName<Schema>
      ? Name
      : never;
}[keyof Schema['properties']];

type RequiredName<Schema extends ConfigSchema> = Schema extends { required: readonly (infer Name)[] } ? Name : never;

type ValueOf<Property extends ConfigProperty> = Property extends { enum: readonly (infer Choice)[] }
  ? Choice
  : { string: string; integer: number; number: number; boolean: boolean }[Property['type']];

/** The variables of a process: a plain copy of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

const ours = /^WHETSTONE_/;
const serviceLink = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/;

/**
 * The configuration of a process from its environment. An empty variable counts as absent; `X_FILE` names a file that
 * holds the value of `X`. Throws one AppError `invalid_argument` that lists every mistake by name.
 *
 * `NoInfer`: the compiler would otherwise try to work the schema out from what the result is used for.
 */
export function loadConfig<const Schema extends ConfigSchema>(
  schema: Schema,
  env: Environment,
): NoInfer<ConfigOf<Schema>> {
  return load(schema, env) as never;
}

/**
 * As `loadConfig`, for a process of several services: mistakes in any of them are reported together, and a variable of one
 * is not unknown to the others. `Config` is the intersection of the schemas' types.
 */
export function loadMergedConfig<Config>(schemas: readonly ConfigSchema[], env: Environment): Config {
  const properties: ConfigSchema['properties'] = Object.assign({}, ...schemas.map((schema) => schema.properties));
  const required = schemas.flatMap((schema) => schema.required ?? []);
  return load({ type: 'object', properties, required }, env) as Config;
}

function load(schema: ConfigSchema, env: Environment): unknown {
  const { values, mistakes } = readValues(schema, env);
  mistakes.push(...unknownVariables(schema, env));

  const config = { ...values };
  const broken = new Set(mistakes.map(({ name }) => name));
  for (const error of validate(schema, config)) {
    const name = nameOf(error);
    if (broken.has(name)) continue;
    broken.add(name);
    mistakes.push({ name, text: explain(schema, error, values[name]) });
  }
  if (mistakes.length > 0) throw configError(mistakes);
  return config;
}

interface Mistake {
  name: string;
  text: string;
}

function readValues(schema: ConfigSchema, env: Environment) {
  const values: Record<string, string> = {};
  const mistakes: Mistake[] = [];
  for (const name of Object.keys(schema.properties)) {
    const value = env[name];
    const file = env[`${name}_FILE`];
    if (value && file) mistakes.push({ name, text: `and ${name}_FILE are both set; use only one` });
    else if (value) values[name] = value;
    else if (file) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch (error) {
        mistakes.push({ name, text: `cannot be read from the file ${file} (${(error as Error).message})` });
      }
    }
  }
  return { values, mistakes };
}

/** Of clients and the command line, which may run in the same shell. */
const ofClients = new Set(['WHETSTONE_URL', 'WHETSTONE_KEY', 'WHETSTONE_TENANT']);

function unknownVariables(schema: ConfigSchema, env: Environment): Mistake[] {
  const known = Object.keys(schema.properties).flatMap((name) => [name, `${name}_FILE`]);
  const isExpected = (name: string) => known.includes(name) || ofClients.has(name);
  return Object.entries(env)
    .filter(([name, value]) => ours.test(name) && !isExpected(name) && !isServiceLink(name, value))
    .map(([name]) => {
      const meant = closestName(name, known);
      return {
        name,
        text: `is not a known setting${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      };
    });
}

/** Variables that Kubernetes adds for each Service in the namespace; not typing mistakes. */
export function isServiceLink(name: string, value = ''): boolean {
  return serviceLink.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));
}

function validate(schema: ConfigSchema, config: Record<string, unknown>): ErrorObject[] {
  // Loaded lazily: importers without a configuration do not pay for it.
  const { Ajv } = createRequire(import.meta.url)('ajv') as typeof import('ajv');
  // The compiler checks the schema itself; compiling the meta-schema would take longer than all else here.
  const options = { validateSchema: false, allErrors: true, coerceTypes: true, useDefaults: true, verbose: true };
  const ajv = new Ajv(options);
  ajv.addKeyword({ keyword: 'secret', schemaType: 'boolean' });
  const check = ajv.compile(schema);
  check(config);
  return check.errors ?? [];
}

function nameOf(error: ErrorObject): string {
  return error.keyword === 'required' ? error.params['missingProperty'] : error.instancePath.slice(1);
}

function explain(schema: ConfigSchema, error: ErrorObject, given: string | undefined): string {
  const property = schema.properties[nameOf(error)];
  if (error.keyword === 'required') return `is required: ${property?.description ?? ''}`;
  if (error.keyword === 'pattern') {
    const shown = property?.secret ? '' : ` (${JSON.stringify(given)})`;
    return `is malformed${shown}: ${property?.description ?? ''}`;
  }
  const shown = property?.secret ? '' : `, not ${JSON.stringify(given)}`;
  return `${wish(error)}${shown}`;
}

function wish({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
  if (keyword === 'type' && params['type'] === 'boolean') return 'must be true or false';
  if (keyword === 'type') return `must be ${params['type'] === 'integer' ? 'a whole number' : `a ${params['type']}`}`;
  return message;
}

function configError(mistakes: Mistake[]): AppError {
  const count = mistakes.length === 1 ? '1 error' : `${mistakes.length} errors`;
  const list = mistakes.map(({ name, text }) => `\n  - ${name} ${text}`).join('');
  return new AppError('invalid_argument', `Invalid configuration (${count}):${list}`);
}

/** Loads the configuration, or prints its mistakes to standard error and exits. */
export function configOrExit<Config>(schemas: readonly ConfigSchema[], env: Environment): Config {
  try {
    return loadMergedConfig(schemas, env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** The name that was most likely meant; `undefined` if none is close. */
function closestName(written: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.ceil(written.length / 5) ? nearest.name : undefined;
}

/** Levenshtein distance. */
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
