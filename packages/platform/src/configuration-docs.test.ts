import { renderConfigurationDocs } from './configuration-docs.js';
import type { ConfigSchema } from './load-config.js';

const schema = {
  type: 'object',
  properties: {
    WHETSTONE_PORT: { type: 'integer', default: 80, minimum: 0, maximum: 65535, description: 'Where it listens' },
    WHETSTONE_DOCS: { type: 'boolean', default: false, description: 'Serves /docs' },
    WHETSTONE_LEVEL: { type: 'string', enum: ['a', 'b'], default: 'a', description: 'One | the other' },
    WHETSTONE_SECRET: { type: 'string', secret: true, description: 'Kept to itself' },
    WHETSTONE_PROXY: { type: 'string', description: 'A way out' },
  },
  required: ['WHETSTONE_SECRET'],
} as const satisfies ConfigSchema;

const address = {
  type: 'object',
  properties: { WHETSTONE_PEER: { type: 'string', description: 'Where it is' } },
} as const satisfies ConfigSchema;

describe('renderConfigurationDocs', () => {
  it('writes a table a section, a row a variable, and who reads it', () => {
    const text = renderConfigurationDocs(
      [{ title: 'Front door', schemas: [schema] }],
      [
        { name: 'gateway', schemas: [schema] },
        { name: 'other', schemas: [] },
      ],
    );

    expect(text.slice(text.indexOf('## '))).toBe(`## Front door

Read by gateway.

| variable | value | default | what it does |
|---|---|---|---|
| \`WHETSTONE_PORT\` | whole number from 0 to 65535 | \`80\` | Where it listens |
| \`WHETSTONE_DOCS\` | \`true\` or \`false\` | \`false\` | Serves /docs |
| \`WHETSTONE_LEVEL\` | \`a\`, \`b\` | \`a\` | One \\| the other |
| \`WHETSTONE_SECRET\` | secret | **required** | Kept to itself |
| \`WHETSTONE_PROXY\` | string | – | A way out |
`);
    expect(text).toContain('| **gateway** | [Front door](#front-door) |');
  });

  it('says of each variable who reads it where that differs within a section', () => {
    const text = renderConfigurationDocs(
      [
        {
          title: 'Peers',
          schemas: [address, { ...address, properties: { WHETSTONE_OTHER: address.properties.WHETSTONE_PEER } }],
        },
      ],
      [{ name: 'gateway', schemas: [address] }],
    );

    expect(text).toContain('| `WHETSTONE_PEER` | all processes | string |');
  });
});
