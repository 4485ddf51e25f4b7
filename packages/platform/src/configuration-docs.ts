import type { ConfigProperty, ConfigSchema } from './config-schema.js';

export interface DocumentedSchema {
  title: string;
  schema: ConfigSchema;
}

const introduction = `# Configuration

Everything is set by environment variables and checked at the start: every mistake is reported at once and by name, and a
\`WHETSTONE_\` variable that does not exist is a mistake too. An empty variable counts as absent. Each variable \`X\` can
instead be given as \`X_FILE\`, the name of a file that holds the value, which suits mounted secrets.

Traces are exported where the standard \`OTEL_*\` variables of OpenTelemetry ask for it, \`OTEL_EXPORTER_OTLP_ENDPOINT\`
for one; without them nothing of it is loaded.

This page is generated from the schemas that check the configuration: \`npm run docs\`.
`;

/** The reference of all variables, in Markdown. */
export function renderConfigurationDocs(schemas: readonly DocumentedSchema[]): string {
  return [introduction, ...schemas.map(section)].join('\n');
}

function section({ title, schema }: DocumentedSchema): string {
  const rows = Object.entries(schema.properties).map(
    ([name, property]) =>
      `| \`${name}\` | ${kind(property)} | ${fallback(schema, name, property)} | ${cell(property.description)} |`,
  );
  return `## ${title}\n\n| variable | value | default | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function kind({ type, enum: choices, minimum, maximum, secret }: ConfigProperty): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  const name = type === 'integer' ? 'whole number' : type === 'boolean' ? '`true` or `false`' : type;
  const bounds = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`];
  return [secret ? 'secret' : name, ...bounds].filter((part) => part !== '').join(' ');
}

function fallback(schema: ConfigSchema, name: string, property: ConfigProperty): string {
  if (property.default !== undefined) return property.default === '' ? 'empty' : `\`${String(property.default)}\``;
  return schema.required?.includes(name) ? '**required**' : '–';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
