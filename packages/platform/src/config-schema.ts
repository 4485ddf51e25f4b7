/** One environment variable: a JSON Schema of its value, and what a reader of the documentation needs to know. */
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
  /** The value appears in no message. */
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
