import type { ConfigProperty, ConfigSchema } from './load-config.js';

/** Variables under one heading. */
export interface DocumentedSection {
  title: string;
  schemas: readonly ConfigSchema[];
}

/** A process and all its configuration. */
export interface DocumentedProcess {
  name: string;
  schemas: readonly ConfigSchema[];
}

const introduction = `# Configuration

All settings are environment variables. They are checked at the start: all mistakes are reported at
once and by name, and a \`WHETSTONE_\` variable that the process does not read is a mistake too. An
empty variable counts as unset. Instead of a variable \`X\` you can set \`X_FILE\` to the name of a
file that holds the value, which suits mounted secrets.

Traces are exported if the standard OpenTelemetry variables \`OTEL_*\` ask for it, such as
\`OTEL_EXPORTER_OTLP_ENDPOINT\`; otherwise OpenTelemetry is not loaded.

This page is generated from the schemas that check the configuration: \`npm run docs\`.
`;

/** The reference of all variables, in Markdown. */
export function renderConfigurationDocs(
  sections: readonly DocumentedSection[],
  processes: readonly DocumentedProcess[],
): string {
  return [introduction, overview(sections, processes), ...sections.map((each) => section(each, processes))].join('\n');
}

function overview(sections: readonly DocumentedSection[], processes: readonly DocumentedProcess[]): string {
  const rows = processes.map(({ name, schemas }) => {
    const read = sections.filter((each) => each.schemas.some((schema) => schemas.includes(schema)));
    return `| **${name}** | ${read.map(({ title }) => `[${title}](#${anchorOf(title)})`).join(', ')} |`;
  });
  return `| process | reads |\n|---|---|\n${rows.join('\n')}\n`;
}

function section({ title, schemas }: DocumentedSection, processes: readonly DocumentedProcess[]): string {
  const readers = schemas.map((schema) => readersOf(schema, processes));
  const [first = ''] = readers;
  const same = readers.every((each) => each === first);
  const head = ['variable', ...(same ? [] : ['read by']), 'value', 'default', 'what it does'];
  const rows = schemas.flatMap((schema, index) =>
    Object.entries(schema.properties).map(([name, property]) => {
      const reader = same ? [] : [readers[index] ?? ''];
      return row([
        `\`${name}\``,
        ...reader,
        kind(property),
        fallback(schema, name, property),
        cell(property.description),
      ]);
    }),
  );
  const table = [row(head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n');
  return `## ${title}\n\n${same ? `Read by ${first}.\n\n` : ''}${table}\n`;
}

function readersOf(schema: ConfigSchema, processes: readonly DocumentedProcess[]): string {
  const readers = processes.filter(({ schemas }) => schemas.includes(schema)).map(({ name }) => name);
  return readers.length === processes.length ? 'all processes' : readers.join(', ');
}

function row(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
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
