import { javaCandidates } from './environment.js';
import { runProgram } from './processes.js';

export interface Program {
  command: string;
  version: string;
}

const leastJava = 17;
export const leastPython = 10;
const leastGo = 26;
/** Since this version Go downloads a newer toolchain if a module needs it, unless that is disabled. */
const leastGoThatUpdates = 21;
const leastHelm = 14;

export async function findJava(candidates: readonly string[] = javaCandidates()): Promise<Program | undefined> {
  for (const command of candidates) {
    const { ok, output } = await runProgram(command, ['-version']);
    const major = /version "(\d+)/.exec(output)?.[1];
    if (ok && major !== undefined && Number(major) >= leastJava) return { command, version: major };
  }
  return undefined;
}

export const pythonCandidates = [
  'python3',
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python',
];

/** One with venv, which Debian packages separately. */
export async function findPython(
  candidates: readonly string[] = pythonCandidates,
  least = leastPython,
): Promise<Program | undefined> {
  const question = 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2])';
  for (const command of candidates) {
    const { ok, output } = await runProgram(command, ['-c', question]);
    const minor = /^3\.(\d+)$/.exec(output)?.[1];
    if (ok && minor !== undefined && Number(minor) >= least) return { command, version: output };
  }
  return undefined;
}

export async function findMaven(): Promise<boolean> {
  return (await runProgram('mvn', ['--version'])).ok;
}

export async function findGo(
  candidates: readonly string[] = ['go', '/usr/local/go/bin/go'],
): Promise<Program | undefined> {
  for (const command of candidates) {
    const [told, toolchain] = await Promise.all([
      runProgram(command, ['version']),
      runProgram(command, ['env', 'GOTOOLCHAIN']),
    ]);
    const minor = Number(/go1\.(\d+)/.exec(told.output)?.[1] ?? 0);
    const updates = minor >= leastGoThatUpdates && !/^(local|path)?$/.test(toolchain.output);
    if (told.ok && (minor >= leastGo || updates)) return { command, version: `1.${minor}` };
  }
  return undefined;
}

export async function findHelm(candidates: readonly string[] = ['helm']): Promise<Program | undefined> {
  for (const command of candidates) {
    const { ok, stdout } = await runProgram(command, ['version', '--template', '{{.Version}}']);
    const version = /^v(3\.(\d+)\.\d+)/.exec(stdout);
    if (ok && version && Number(version[2]) >= leastHelm) return { command, version: version[1] as string };
  }
  return undefined;
}

export interface Machine {
  java: boolean;
  maven: boolean;
  python: boolean;
  go: boolean;
}

/** One message with each missing program, what it is for and how to get it; undefined if none is missing. */
export function missingMessage({ java, maven, python, go }: Machine): string | undefined {
  const missing = [
    ...(java ? [] : [`Java ${leastJava} or newer (\`java\`), which runs Kafka`]),
    ...(maven ? [] : ['Maven (`mvn`), which fetches Kafka']),
    ...(python
      ? []
      : [
          `Python 3.${leastPython} or newer with venv and pip (\`python3\`), which runs Milvus Lite, the model server and the Python client, and fetches the Kubernetes schemas`,
        ]),
    ...(go
      ? []
      : [
          `Go 1.${leastGo} or newer (\`go\`), which builds helm and the other tools that check the chart, and the OpenTelemetry Collector`,
        ]),
  ];
  if (missing.length === 0) return undefined;
  return [
    'The engines need programs that this machine lacks:',
    ...missing.map((thing) => `  - ${thing}`),
    'On Debian and Ubuntu: apt-get install openjdk-17-jre-headless maven python3-venv; Go is at https://go.dev/dl',
  ].join('\n');
}
