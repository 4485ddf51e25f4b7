import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findGo, findHelm, findJava, findPython, missingMessage } from './prerequisites.js';
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
    const message = missingMessage({ java: false, maven: false, python: false, go: false });
    expect(message).toMatch(/Java 17 or newer.*runs Kafka/);
    expect(message).toMatch(/Maven.*fetches Kafka/);
    expect(message).toMatch(/Python 3\.10 or newer with venv.*runs Milvus Lite/);
    expect(message).toMatch(/Go 1\.26 or newer.*builds helm/);
  });

  it('is told without what is there', () => {
    expect(missingMessage({ java: true, maven: false, python: true, go: true })).not.toMatch(/Java|Python|builds helm/);
    expect(missingMessage({ java: true, maven: true, python: true, go: true })).toBeUndefined();
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
    expect(await findPython([good], 13)).toBeUndefined();
  });

  it('is not an older Go, unless it fetches a newer one of itself', async () => {
    const go = (name: string, version: string, toolchain: string) =>
      program(name, `case $1 in version) echo 'go version ${version} linux/arm64';; *) echo '${toolchain}';; esac`);
    const fixed = await go('go-fixed', 'go1.24.4', 'local');
    const old = await go('go-old', 'go1.19.8', 'auto');
    const updating = await go('go-updating', 'go1.24.4', 'auto');
    const recent = await go('go-recent', 'go1.26.8', 'local');
    expect(await findGo([fixed, old])).toBeUndefined();
    expect(await findGo([fixed, updating])).toEqual({ command: updating, version: '1.24' });
    expect(await findGo(['/no/go', recent])).toEqual({ command: recent, version: '1.26' });
  });

  it('is a helm of its own, where that is a recent one of version 3', async () => {
    const old = await program('helm-old', 'printf v3.9.4');
    const next = await program('helm-next', 'printf v4.0.1');
    const good = await program('helm-good', 'printf v3.19.0');
    expect(await findHelm(['/no/helm', old, next])).toBeUndefined();
    expect(await findHelm([old, good])).toEqual({ command: good, version: '3.19.0' });
  });
});
