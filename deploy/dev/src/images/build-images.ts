import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '../run-program.js';
import type { BuildOptions } from './build-options.js';
import { archiveArguments, buildArguments, findTool, type ToolName } from './image-tool.js';

/** Builds one image after another: they share the stages before the last. Rejects with the first that fails. */
export async function buildImages(root: string, options: BuildOptions, say: (line: string) => void): Promise<void> {
  const { images, registry, platform, source, archive, secrets } = options;
  const tool = options.tool ?? (await findTool());
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const revision = await revisionOf(root);
  // Given with the build rather than as arguments of the Dockerfile: not every tool builds a label anew when its value changes.
  const labels = {
    'org.opencontainers.image.version': version,
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
    ...(source !== undefined && { 'org.opencontainers.image.source': source }),
  };
  if (archive !== undefined) await mkdir(archive, { recursive: true });
  for (const target of images) {
    const reference = `${registry}/whetstone-${target}:${options.tag ?? version}`;
    say(`Building ${reference} with ${tool} …`);
    const request = {
      dockerfile: join(root, 'deploy', 'docker', 'Dockerfile'),
      context: root,
      ...{ target, reference, platform, secrets },
      labels,
    };
    await follow(tool, buildArguments(tool, request));
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
