import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { pythonEnvironment, pythonOf } from './python-environment.js';

/** What /openapi.json is tested with: schemathesis and a generator of clients. */
export function openapiToolsEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'openapi-tools',
    title: 'The tools for /openapi.json',
    version: '1.0.0',
    megabytes: 200,
    requirements: new URL('../../engines/pinned/openapi-tools/requirements.txt', import.meta.url),
    leastPython: 11,
  });
}

/** The Python that has them, fetched on first use. */
export async function fetchPythonForOpenapi(options: FetchOptions = {}): Promise<string> {
  return pythonOf(await fetchOnce(await openapiToolsEnvironment(), options));
}
