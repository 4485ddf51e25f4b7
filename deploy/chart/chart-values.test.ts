import { readFileSync } from 'node:fs';

import { readChartValues, withChartValues } from './chart-values.js';

const chart = new URL('../../../charts/whetstone/', import.meta.url);
const own = (name: string) => readFileSync(new URL(name, chart), 'utf8');

const text = `# Of the file.

# How many.
replicas: 2

# Where it goes.
kafka:
  # Brokers,
  # to begin with.
  brokers: []
  tls:
    # Whether.
    enabled: false
# Room.
resources: {
  limits: { memory: 1Gi } }
`;

describe('the values of a chart', () => {
  it('are read with their comments, and with their defaults as they are written', () => {
    expect(readChartValues(text)).toEqual([
      { path: ['replicas'], description: 'How many.', fallback: '2' },
      { path: ['kafka'], description: 'Where it goes.', fallback: undefined },
      { path: ['kafka', 'brokers'], description: 'Brokers, to begin with.', fallback: '[]' },
      { path: ['kafka', 'tls'], description: '', fallback: undefined },
      { path: ['kafka', 'tls', 'enabled'], description: 'Whether.', fallback: 'false' },
      { path: ['resources'], description: 'Room.', fallback: '{ limits: { memory: 1Gi } }' },
    ]);
  });

  it('are refused where one has no description', () => {
    expect(() => readChartValues('a:\n  b: 1\n')).toThrow('Not described: a.b');
  });

  it('become tables in the place that a text has for them, however often', () => {
    const readme =
      '# Top\n<!-- Written by `npm run docs` from values.yaml. -->\nold\n<!-- The end of what `npm run docs` writes. -->\nbottom\n';
    const written = withChartValues(readme, readChartValues(text));

    expect(written).toContain('### kafka\n\nWhere it goes.\n\n| value |');
    expect(written).toContain('| `kafka.tls.enabled` | `false` | Whether. |');
    expect(written).toMatch(/^# Top\n.*\nbottom\n$/s);
    expect(written).not.toContain('old');
    expect(withChartValues(written, readChartValues(text))).toBe(written);
  });

  it('are refused by a text without marks', () => {
    expect(() => withChartValues('# Top\n', [])).toThrow('no marks for the values');
  });
});

describe('the schema of our chart', () => {
  interface Schema {
    description?: string;
    properties?: Record<string, Schema>;
    additionalProperties?: unknown;
  }
  const schema = JSON.parse(own('values.schema.json')) as Schema;
  const values = readChartValues(own('values.yaml'));

  it('describes every value in the words of values.yaml, and none that is not there', () => {
    const described = [...schemasBelow(schema, [])].filter(({ path }) => path[0] !== 'global');
    const words = (each: { path: readonly string[]; description?: string }) =>
      `${each.path.join('.')}: ${each.description ?? ''}`;

    expect(described.map(words).sort()).toEqual(values.map(words).sort());
  });

  it('refuses names that no value has, at every level', () => {
    const holders = [schema, ...[...schemasBelow(schema, [])].map((each) => each.schema)].filter(
      ({ properties }) => properties !== undefined,
    );

    expect(holders.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
  });

  function* schemasBelow(
    { properties = {} }: Schema,
    above: readonly string[],
  ): Generator<{ path: readonly string[]; description?: string; schema: Schema }> {
    for (const [name, below] of Object.entries(properties)) {
      const path = [...above, name];
      yield { path, schema: below, ...(below.description !== undefined && { description: below.description }) };
      yield* schemasBelow(below, path);
    }
  }
});
