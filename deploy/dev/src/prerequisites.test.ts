import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findJava, findPython, missingMessage } from './prerequisites.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const folder = temporaryFolder();

async function program(name: string, script: string): Promise<string> {
  const path = join(folder(), name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('what the machine has to have', () => {
  it('is told by name, with what it is for, everything at once', () => {
    const message = missingMessage({ java: false, maven: false, python: false });
    expect(message).toMatch(/Java 17 or newer.*runs Kafka/);
    expect(message).toMatch(/Maven.*fetches Kafka/);
    expect(message).toMatch(/Python 3\.10 or newer with venv.*runs Milvus Lite/);
  });

  it('is told without what is there', () => {
    expect(missingMessage({ java: true, maven: false, python: true })).not.toMatch(/Java|Python/);
    expect(missingMessage({ java: true, maven: true, python: true })).toBeUndefined();
  });

  it('is not an older Java, but the next one that is new enough', async () => {
    const old = await program('java-11', `echo 'openjdk version "11.0.2" 2019-01-15' >&2`);
    const recent = await program('java-21', `echo 'openjdk version "21.0.1" 2023-10-17' >&2`);
    expect(await findJava([old])).toBeUndefined();
    expect(await findJava(['/no/java', old, recent])).toEqual({ command: recent, version: '21' });
  });

  it('is not a Python that is older or has no venv', async () => {
    const old = await program('python-old', 'echo 3.9');
    const bare = await program('python-bare', 'echo "ModuleNotFoundError: ensurepip" >&2; exit 1');
    const good = await program('python-good', 'echo 3.12');
    expect(await findPython([old, bare])).toBeUndefined();
    expect(await findPython([old, bare, good])).toEqual({ command: good, version: '3.12' });
  });
});
