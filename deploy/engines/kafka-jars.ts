import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Fetchable } from './fetch-once.js';
import { lastLines, runProgram } from './processes.js';

const pinned = new URL('../../engines/pinned/kafka/', import.meta.url);
const version = '4.3.1';

/** Kafka's jars, fetched by the machine's own Maven and verified against their pinned checksums. */
export async function kafkaJars(): Promise<Fetchable> {
  const list = await readFile(new URL('jars.sha256', pinned), 'utf8');
  const expected = readChecksums(list);
  return {
    name: `kafka-${version}-${sha256(list).slice(0, 12)}`,
    title: `Kafka ${version} (${expected.size} jars by Maven)`,
    async fetch(folder) {
      const pom = fileURLToPath(new URL('pom.xml', pinned));
      const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
      const { ok, output } = await runProgram('mvn', ['-q', '-B', '-f', pom, ...goal], { cwd: folder });
      if (!ok) throw new Error(`Maven could not fetch Kafka ${version}:\n${lastLines(output)}`);
      await checkJars(folder, expected);
    },
  };
}

/** Exactly the pinned jars, with exactly the pinned content. */
export async function checkJars(folder: string, expected: ReadonlyMap<string, string>): Promise<void> {
  const found = (await readdir(folder)).filter((name) => name.endsWith('.jar'));
  const problems = [
    ...[...expected.keys()].filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
    ...found.filter((name) => !expected.has(name)).map((name) => `${name} is unexpected`),
  ];
  for (const name of found) {
    const wanted = expected.get(name);
    if (wanted !== undefined && sha256(await readFile(join(folder, name))) !== wanted) {
      problems.push(`${name} has the wrong checksum`);
    }
  }
  if (problems.length > 0) throw new Error(`Kafka's jars do not match their pins: ${problems.join('; ')}`);
}

/** Lines as `sha256sum` writes them. */
function readChecksums(list: string): Map<string, string> {
  const lines = list.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [checksum, name] = line.split(/\s+/) as [string, string];
      return [name, checksum];
    }),
  );
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
