import { fetchPythonForOpenapi } from '@whetstone/deploy';

import { createRandomness } from '../support/randomness.js';
import { runPytest } from '../support/run-pytest.js';

it('schemathesis finds no failure, and a client generated from /openapi.json does a full round', async () => {
  const { seed } = createRandomness();
  await runPytest({
    python: await fetchPythonForOpenapi(),
    folder: 'test/clients/openapi',
    // Nearly every request names another collection.
    settings: { WHETSTONE_MAX_COLLECTIONS: '100000' },
    env: { WHETSTONE_TEST_SEED: String(seed) },
  });
}, 600_000);
