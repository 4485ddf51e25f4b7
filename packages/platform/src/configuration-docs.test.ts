import type { ConfigSchema } from './config-schema.js';
import { renderConfigurationDocs } from './configuration-docs.js';

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

describe('renderConfigurationDocs', () => {
  it('writes a table a schema, a row a variable', () => {
    const text = renderConfigurationDocs([{ title: 'Gateway', schema }]);

    expect(text.slice(text.indexOf('## '))).toBe(`## Gateway

| variable | value | default | what it does |
|---|---|---|---|
| \`WHETSTONE_PORT\` | whole number from 0 to 65535 | \`80\` | Where it listens |
| \`WHETSTONE_DOCS\` | \`true\` or \`false\` | \`false\` | Serves /docs |
| \`WHETSTONE_LEVEL\` | \`a\`, \`b\` | \`a\` | One \\| the other |
| \`WHETSTONE_SECRET\` | secret | **required** | Kept to itself |
| \`WHETSTONE_PROXY\` | string | – | A way out |
`);
  });
});
