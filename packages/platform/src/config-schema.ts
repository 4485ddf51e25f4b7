import type { FromSchema } from 'json-schema-to-ts';

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

export type ConfigOf<Schema extends ConfigSchema> = FromSchema<Schema>;

/** The variables of a process: a plain copy of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;
