import type { EnumTypeDefinition, MessageTypeDefinition, PackageDefinition } from '@grpc/proto-loader';
import { AppError } from '@whetstone/platform';

/** Rewrites the enum values inside a message and leaves everything else as it is. */
export type Rewrite = (message: object) => object;

export interface EnumNames {
  /** `strategy` → `INSIGHT_KIND_STRATEGY`, at every depth. */
  toProto: Rewrite;
  /** The reverse. */
  fromProto: Rewrite;
}

interface FieldDescriptor {
  name: string;
  type: string;
  typeName: string;
}

interface Names {
  proto: Map<string, string>;
  plain: Map<string, string>;
}

type FieldRewrite = (value: unknown, to: keyof EnumNames) => unknown;

/**
 * Enum values are plain words in the program and carry their enum's name in a proto, as protos demand. The descriptors say
 * where they are, so that a new enum field needs no line here.
 *
 * A value that the other side does not know is refused rather than read as the zero value.
 */
export function createEnumNames(definitions: PackageDefinition): (messageName: string) => EnumNames {
  const byMessage = new Map<string, Map<string, FieldRewrite>>();

  function fieldsOf(messageName: string): Map<string, FieldRewrite> {
    const known = byMessage.get(messageName);
    if (known) return known;
    const fields = new Map<string, FieldRewrite>();
    byMessage.set(messageName, fields);
    for (const field of fieldDescriptors(definitions[messageName])) {
      const typeName = resolve(definitions, messageName, field.typeName);
      if (typeName === undefined) continue;
      const rewrite = field.type === 'TYPE_ENUM' ? enumRewrite(typeName) : messageRewrite(typeName);
      if (rewrite) fields.set(field.name, rewrite);
    }
    return fields;
  }

  function enumRewrite(enumName: string): FieldRewrite {
    const names = namesOf(definitions[enumName]);
    return (value, to) => {
      const rewritten = (to === 'toProto' ? names.proto : names.plain).get(String(value));
      if (rewritten === undefined) throw new AppError('internal', `${enumName} has no value ${JSON.stringify(value)}`);
      return rewritten;
    };
  }

  /** Undefined where nothing inside needs rewriting. */
  function messageRewrite(messageName: string): FieldRewrite | undefined {
    const fields = fieldsOf(messageName);
    return fields.size === 0 ? undefined : (value, to) => rewriteFields(value as object, fields, to);
  }

  return (messageName) => {
    const rewrite = messageRewrite(messageName);
    const always = (to: keyof EnumNames) => (message: object) => (rewrite ? (rewrite(message, to) as object) : message);
    return { toProto: always('toProto'), fromProto: always('fromProto') };
  };
}

function rewriteFields(message: object, fields: Map<string, FieldRewrite>, to: keyof EnumNames): object {
  const rewritten: Record<string, unknown> = { ...message };
  for (const [name, rewrite] of fields) {
    const value = rewritten[name];
    if (value === undefined || value === null) continue;
    rewritten[name] = Array.isArray(value) ? value.map((item) => rewrite(item, to)) : rewrite(value, to);
  }
  return rewritten;
}

function fieldDescriptors(definition: PackageDefinition[string] | undefined): FieldDescriptor[] {
  return (definition as MessageTypeDefinition<object, object> & { type: { field: FieldDescriptor[] } }).type.field;
}

/** A descriptor names a type as short as it can: seen from the message, then from each enclosing package. */
function resolve(definitions: PackageDefinition, from: string, typeName: string): string | undefined {
  if (typeName === '') return undefined;
  const scope = from.split('.');
  while (scope.length > 0) {
    scope.pop();
    const candidate = [...scope, typeName].join('.');
    if (definitions[candidate]) return candidate;
  }
  return undefined;
}

function namesOf(definition: PackageDefinition[string] | undefined): Names {
  const { name, value } = (definition as EnumTypeDefinition & { type: { name: string; value: { name: string }[] } })
    .type;
  const prefix = `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_`;
  const names: Names = { proto: new Map(), plain: new Map() };
  for (const { name: protoName } of value) {
    const plain = protoName.slice(prefix.length).toLowerCase();
    // The zero value stands for "not set" and is nobody's word.
    if (plain === 'unspecified') continue;
    names.proto.set(plain, protoName);
    names.plain.set(protoName, plain);
  }
  return names;
}
