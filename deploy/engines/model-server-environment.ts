import type { Fetchable } from './fetch-once.js';
import { pythonEnvironment } from './python-environment.js';

export function modelServerEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'llama-cpp',
    title: 'llama.cpp with SmolLM2',
    version: '2026.10.11549',
    megabytes: 220,
    requirements: new URL('../../engines/pinned/llama-cpp/requirements.txt', import.meta.url),
  });
}
