import { parseArgs } from 'node:util';

import { type ImageName, imageNames } from './image-specs.js';
import { type ToolName, toolNames } from './image-tool.js';

export interface BuildOptions {
  help: boolean;
  images: readonly ImageName[];
  /** The one that is found where it is not said. */
  tool: ToolName | undefined;
  registry: string;
  tag: string | undefined;
  platform: string | undefined;
  source: string | undefined;
  archive: string | undefined;
  secrets: Readonly<Record<string, string>>;
}

export const buildUsage = `npm run images -- [options] [image …]

Builds the images ${imageNames.join(', ')}, or those that are named.

  --tool NAME          ${toolNames.join(', ')}; otherwise the first of them that works
  --registry NAME      what the names of the images begin with (localhost): NAME/whetstone-gateway
  --tag TAG            their tag (the version in package.json)
  --platform NAME      linux/amd64 or linux/arm64; otherwise that of the tool
  --source URL         where the source is, for a label of the images
  --archive DIR        also write each into DIR, as whetstone-gateway.tar, for \`docker load\` or \`ctr images import\`
  --npmrc FILE         an .npmrc for the packages, where they come from a registry of your own
  --authorities FILE   PEM of authorities for it; the .npmrc then says cafile=/run/secrets/authorities`;

/** Throws an Error that says what is wrong with them. */
export function parseBuildOptions(args: readonly string[]): BuildOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      tool: text,
      registry: { ...text, default: 'localhost' },
      tag: text,
      platform: text,
      source: text,
      archive: text,
      npmrc: text,
      authorities: text,
    },
  });
  const { help, tool, registry, tag, platform, source, archive, npmrc, authorities } = values;
  return {
    ...{ help, registry, tag, platform, source, archive },
    images: positionals.length === 0 ? imageNames : positionals.map((name) => oneOf(imageNames, name, 'image')),
    tool: tool === undefined ? undefined : oneOf(toolNames, tool, 'tool'),
    secrets: { ...(npmrc !== undefined && { npmrc }), ...(authorities !== undefined && { authorities }) },
  };
}

function oneOf<Name extends string>(names: readonly Name[], given: string, what: string): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new Error(`There is no ${what} '${given}'; there is ${names.join(', ')}`);
  return found;
}
