import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from '../engines/run-program.js';
import type { BuildOptions } from './build-options.js';
import { archiveArguments, buildArguments, findTool, type ToolName } from './image-tool.js';
import { labelTarget } from './label-target.js';

/** Builds one image after another: they share the stages before the last. Rejects with the first that fails. */
export async function buildImages(root: string, options: BuildOptions, say: (line: string) => void): Promise<void> {
  const { images, registry, platform, source, archive, secrets } = options;
  const tool = options.tool ?? (await findTool());
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const revision = await revisionOf(root);
  const labels = {
    'org.opencontainers.image.version': version,
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
    ...(source !== undefined && { 'org.opencontainers.image.source': source }),
  };
  if (archive !== undefined) await mkdir(archive, { recursive: true });
  for (const target of images) {
    const reference = `${registry}/whetstone-${target}:${options.tag ?? version}`;
    say(`Building ${reference} with ${tool} …`);
    await withLabels(root, target, labels, (dockerfile) =>
      follow(tool, buildArguments(tool, { dockerfile, context: root, target, reference, platform, secrets })),
    );
    if (archive === undefined) continue;
    const file = join(archive, `whetstone-${target}.tar`);
    // Some of the tools write to the end of what is there.
    await rm(file, { force: true });
    await follow(tool, archiveArguments(tool, reference, file));
    say(`Written to ${file}`);
  }
}

/** The commit, where it is known, and whether more than that went in. */
async function revisionOf(root: string): Promise<string | undefined> {
  const commit = await runProgram('git', ['rev-parse', 'HEAD'], { cwd: root });
  if (!commit.ok) return undefined;
  const changes = await runProgram('git', ['status', '--porcelain'], { cwd: root });
  return `${commit.stdout.trim()}${changes.stdout.trim() === '' ? '' : '-modified'}`;
}

/** Calls back with a Dockerfile that labels the target, outside of the context, so that nothing in there changes. */
async function withLabels(
  root: string,
  target: string,
  labels: Readonly<Record<string, string>>,
  build: (dockerfile: string) => Promise<void>,
): Promise<void> {
  const text = await readFile(join(root, 'deploy', 'docker', 'Dockerfile'), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-images-'));
  try {
    const dockerfile = join(folder, 'Dockerfile');
    await writeFile(dockerfile, labelTarget(text, target, labels));
    await build(dockerfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the tool with its output for whoever waits. */
async function follow(tool: ToolName, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    spawn(tool, args, { stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', (cause) => reject(new Error(`${tool} cannot be started: ${cause.message}`, { cause })))
      .once('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`${tool} ${args[0]} failed (${code ?? signal})`));
      });
  });
}
