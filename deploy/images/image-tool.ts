import { runProgram } from '../engines/run-program.js';

export const toolNames = ['docker', 'podman', 'buildah'] as const;

export type ToolName = (typeof toolNames)[number];

export interface BuildRequest {
  dockerfile: string;
  context: string;
  target: string;
  /** What the image is called afterwards, with its tag. */
  reference: string;
  platform: string | undefined;
  /** Files that are there while it is built, by the names that the Dockerfile has for them. */
  secrets: Readonly<Record<string, string>>;
}

/** The arguments that make the tool build. The three agree in what they need, and nearly in how they say it. */
export function buildArguments(tool: ToolName, request: BuildRequest): string[] {
  const { dockerfile, context, target, reference, platform, secrets } = request;
  return [
    'build',
    // Docker keeps what it has built of a stage without being told.
    ...(tool === 'docker' ? [] : ['--layers']),
    ...['--file', dockerfile, '--target', target, '--tag', reference],
    ...(platform === undefined ? [] : ['--platform', platform]),
    ...Object.entries(secrets).flatMap(([name, file]) => ['--secret', `id=${name},src=${file}`]),
    context,
  ];
}

/** The arguments that make the tool write an image into a file that `docker load` and `ctr images import` read. */
export function archiveArguments(tool: ToolName, reference: string, file: string): string[] {
  if (tool === 'buildah') return ['push', reference, `docker-archive:${file}:${reference}`];
  return ['save', ...(tool === 'podman' ? ['--format', 'docker-archive'] : []), '--output', file, reference];
}

/** The first that works here: a client of Docker alone, without an engine, does not. */
export async function findTool(): Promise<ToolName> {
  for (const tool of toolNames) if ((await runProgram(tool, ['info'])).ok) return tool;
  throw new Error(`None of ${toolNames.join(', ')} works here; one of them is needed to build images`);
}
