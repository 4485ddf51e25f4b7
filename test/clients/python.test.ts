import { fetchPythonForClient } from '@whetstone/deploy';

import { runPytest } from '../support/run-pytest.js';

it('the Python client passes its own tests', async () => {
  await runPytest({ python: await fetchPythonForClient(), folder: 'clients/python' });
}, 600_000);
