import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { pythonEnvironment, pythonOf } from './python-environment.js';

/** What the Python client is tested with: pytest, mypy, and agent frameworks that it has adapters for or that emit traces. */
export function pythonClientEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'python-client',
    title: 'The packages for the Python client',
    version: '1.0.0',
    megabytes: 460,
    requirements: new URL('../../engines/pinned/python-client/requirements.txt', import.meta.url),
  });
}

/** The Python that has them, fetched on first use. */
export async function fetchPythonForClient(options: FetchOptions = {}): Promise<string> {
  return pythonOf(await fetchOnce(await pythonClientEnvironment(), options));
}
