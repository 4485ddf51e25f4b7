import type { Fetchable } from './fetch-once.js';
import { pythonEnvironment } from './python-environment.js';

export function milvusLiteEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'milvus-lite',
    title: 'Milvus Lite',
    version: '3.2.2',
    megabytes: 450,
    requirements: new URL('../../engines/pinned/milvus-lite/requirements.txt', import.meta.url),
  });
}
