import { javaCandidates } from './environment.js';
import { runProgram } from './run-program.js';

export interface Program {
  command: string;
  version: string;
}

const leastJava = 17;
const leastPython = 10;

export async function findJava(candidates: readonly string[] = javaCandidates()): Promise<Program | undefined> {
  for (const command of candidates) {
    const { ok, output } = await runProgram(command, ['-version']);
    const major = /version "(\d+)/.exec(output)?.[1];
    if (ok && major !== undefined && Number(major) >= leastJava) return { command, version: major };
  }
  return undefined;
}

const pythonCandidates = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/** One that can make environments: Debian packs that apart. */
export async function findPython(candidates: readonly string[] = pythonCandidates): Promise<Program | undefined> {
  const question = 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2])';
  for (const command of candidates) {
    const { ok, output } = await runProgram(command, ['-c', question]);
    const minor = /^3\.(\d+)$/.exec(output)?.[1];
    if (ok && minor !== undefined && Number(minor) >= leastPython) return { command, version: output };
  }
  return undefined;
}

export async function findMaven(): Promise<boolean> {
  return (await runProgram('mvn', ['--version'])).ok;
}

export interface Machine {
  java: boolean;
  maven: boolean;
  python: boolean;
}

/** One message that names each missing thing, what it is for and how to get it; undefined when nothing is missing. */
export function missingMessage({ java, maven, python }: Machine): string | undefined {
  const missing = [
    ...(java ? [] : [`Java ${leastJava} or newer (\`java\`), which runs Kafka`]),
    ...(maven ? [] : ['Maven (`mvn`), which fetches Kafka']),
    ...(python
      ? []
      : [
          `Python 3.${leastPython} or newer with venv and pip (\`python3\`), which runs Milvus Lite and the model server`,
        ]),
  ];
  if (missing.length === 0) return undefined;
  return [
    'Engines that are to run on this machine need what is not here:',
    ...missing.map((thing) => `  - ${thing}`),
    'On Debian and Ubuntu: apt-get install openjdk-17-jre-headless maven python3-venv',
  ].join('\n');
}
