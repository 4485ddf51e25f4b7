import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

import { shuffled } from '../eval/chance.js';
import { projectFolder } from '../support/product.js';
import { showProgress } from '../support/progress.js';
import { gatePercent, type MutantsArguments, readArguments, usage } from './arguments.js';
import { applyMutants, findMutants, type Mutant } from './find-mutants.js';
import { createTestFinder, modulesIn } from './import-graph.js';
import { copyPackage, killTests, type PackageCopy } from './package-copy.js';

interface Candidate extends Mutant {
  packagePath: string;
  /** The compiled file. */
  file: string;
  tests: string[];
  /** File and line of the source, for display. */
  place: string;
}

/** Time budget for the nearest tests together, on an idle machine. */
const nearMs = 4_000;

async function main(argv: string[]): Promise<void> {
  const wanted = readArguments(argv);
  if (wanted === undefined) {
    console.log(usage);
    return;
  }
  const all = (await Promise.all(wanted.folders.map(candidatesIn))).flat();
  const chosen = wanted.sample === 0 ? all : shuffled(all, wanted.seed).slice(0, wanted.sample);
  console.log(`${all.length} deletions are possible in ${wanted.folders.join(', ')}; ${chosen.length} are tried`);
  if (wanted.list) for (const candidate of chosen) console.log(lineOf(candidate));
  else await tryAll(chosen, wanted);
}

async function candidatesIn(folder: string): Promise<Candidate[]> {
  const [, packagePath, below] = /^((?:packages|services)\/[\w-]+)\/src(?:\/(.+))?$/.exec(folder) ?? [];
  const dist = join(projectFolder, packagePath ?? '', 'dist');
  if (packagePath === undefined || !existsSync(join(dist, below ?? ''))) {
    throw new Error(`There is no ${folder}: --folder takes a folder such as packages/reading/src`);
  }
  const testsOf = createTestFinder(dist);
  const files = modulesIn(join(dist, below ?? '')).filter((file) => !/\.test\.js$|\/test-kit\//.test(file));
  const found = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(file, 'utf8');
      const placeOf = await readPlaces(file, source);
      const tests = testsOf(file);
      return findMutants(source).map((mutant) => ({
        ...mutant,
        packagePath,
        file,
        tests,
        place: placeOf(mutant.from),
      }));
    }),
  );
  return found.flat();
}

/** Maps a position in a compiled file to its source. */
async function readPlaces(file: string, source: string): Promise<(offset: number) => string> {
  const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')));
  return (offset) => {
    const before = source.slice(0, offset).split('\n');
    const entry = map.findEntry(before.length - 1, (before.at(-1) as string).length);
    if (!('originalSource' in entry)) return relative(projectFolder, file);
    return `${relative(projectFolder, resolve(dirname(file), entry.originalSource))}:${entry.originalLine + 1}`;
  };
}

async function tryAll(chosen: readonly Candidate[], { atOnce, gate }: MutantsArguments): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-mutants-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      killTests();
      rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  }
  try {
    const survivors: Candidate[] = [];
    for (const packagePath of new Set(chosen.map((candidate) => candidate.packagePath))) {
      const ofPackage = chosen.filter((candidate) => candidate.packagePath === packagePath);
      survivors.push(...(await survivorsOf(packagePath, ofPackage, join(folder, packagePath), atOnce)));
    }
    report(chosen, survivors, gate);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs each mutant against the nearest tests, which catch most; survivors run against all others together. */
async function survivorsOf(packagePath: string, chosen: readonly Candidate[], folder: string, atOnce: number) {
  const copies = await Promise.all(
    Array.from({ length: Math.min(atOnce, chosen.length) }, (_, worker) =>
      copyPackage(packagePath, join(folder, `${worker}`)),
    ),
  );
  const tests = await checkUnchanged(packagePath, copies[0] as PackageCopy, chosen);
  const progress = showProgress(chosen.length, packagePath);
  const queue = [...chosen];
  const left: Candidate[] = [];
  await Promise.all(
    copies.map(async (copy) => {
      for (let candidate = queue.shift(); candidate; candidate = queue.shift()) {
        if (await pass(copy, [candidate], tests.near(candidate), tests.withinMs)) left.push(candidate);
        progress.step(`${left.length} not noticed so far`);
      }
    }),
  );
  progress.end();
  return among(left, (some) => pass(copies[0] as PackageCopy, some, some.flatMap(tests.far), tests.withinMs));
}

/** The survivors: all of them if they pass together, otherwise found by bisection. */
async function among(
  candidates: readonly Candidate[],
  getThrough: (some: readonly Candidate[]) => Promise<boolean>,
): Promise<Candidate[]> {
  if (candidates.length === 0 || (await getThrough(candidates))) return [...candidates];
  if (candidates.length === 1) return [];
  const middle = Math.ceil(candidates.length / 2);
  return [
    ...(await among(candidates.slice(0, middle), getThrough)),
    ...(await among(candidates.slice(middle), getThrough)),
  ];
}

/** The unchanged code must pass. Its timings decide which tests count as near. */
async function checkUnchanged(packagePath: string, copy: PackageCopy, chosen: readonly Candidate[]) {
  const all = new Set(chosen.flatMap(({ tests }) => tests));
  if (all.size === 0) return { near: () => [], far: () => [], withinMs: 0 };
  console.log(`The tests of ${packagePath} first run unchanged, ${all.size} files …`);
  const { passed, tookMs, filesMs, printed } = await copy.test([...all], 30 * 60_000);
  if (!passed) throw new Error(`The tests of ${packagePath} fail without any deletion:\n${printed.slice(-4000)}`);
  const nearCount = ({ tests }: Candidate) => {
    let sumMs = 0;
    const beyond = tests.findIndex((file) => {
      sumMs += filesMs.get(file) ?? 0;
      return sumMs > nearMs;
    });
    return beyond === -1 ? tests.length : Math.max(1, beyond);
  };
  return {
    near: (candidate: Candidate) => candidate.tests.slice(0, nearCount(candidate)),
    far: (candidate: Candidate) => candidate.tests.slice(nearCount(candidate)),
    withinMs: 30_000 + 3 * tookMs,
  };
}

/** True if the tests pass with all of these deleted. */
async function pass(
  copy: PackageCopy,
  deleted: readonly Candidate[],
  tests: readonly string[],
  withinMs: number,
): Promise<boolean> {
  if (tests.length === 0) return true;
  const changed = new Set(deleted.map(({ file }) => file));
  try {
    for (const file of changed) {
      const spans = deleted.filter((candidate) => candidate.file === file);
      await writeFile(copy.inCopy(file), applyMutants(await readFile(file, 'utf8'), spans));
    }
    return (await copy.test([...new Set(tests)], withinMs)).passed;
  } finally {
    for (const file of changed) await copyFile(file, copy.inCopy(file));
  }
}

function report(chosen: readonly Candidate[], survivors: readonly Candidate[], gate: boolean): void {
  if (survivors.length > 0) console.log('Not noticed by any test:');
  for (const candidate of [...survivors].sort((a, b) => a.place.localeCompare(b.place))) console.log(lineOf(candidate));
  for (const kind of ['alternative', 'row', 'word'] as const) {
    const tried = chosen.filter((one) => one.kind === kind).length;
    const survived = survivors.filter((one) => one.kind === kind).length;
    if (tried > 0) console.log(`${kind.padEnd(12)} ${tried - survived} of ${tried} noticed`);
  }
  const percent = chosen.length === 0 ? 100 : (100 * (chosen.length - survivors.length)) / chosen.length;
  console.log(
    `${chosen.length - survivors.length} of ${chosen.length} noticed, ${percent.toFixed(0)} %; the goal is ${gatePercent()} %`,
  );
  if (gate && percent < gatePercent()) process.exitCode = 1;
}

function lineOf({ place, kind, text }: Candidate): string {
  const shown = text.replace(/\s+/g, ' ');
  return `  ${place}  ${kind}  ${shown.length > 100 ? `${shown.slice(0, 99)}…` : shown}`;
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
