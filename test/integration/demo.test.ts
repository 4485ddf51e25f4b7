import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { inheritedEnvironment } from '../support/product.js';

const demo = fileURLToPath(new URL('../../../examples/demo/dist/main.js', import.meta.url));

it('the demo shows tasks that nothing is known about, and then what runs taught about them', async () => {
  // As in the shell of the README.
  const env = { ...inheritedEnvironment(), WHETSTONE_KEY: 'wst_of_another_server' };
  const { stdout } = await promisify(execFile)(process.execPath, [demo], { env });
  const [before = '', after = ''] = stdout.split('━━ After');

  expect(before).not.toContain('[what worked');
  expect(after.match(/\[what worked/g)?.length).toBeGreaterThan(5);
  expect(after).toContain('[avoid');
});
