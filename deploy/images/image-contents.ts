import { findPackages } from './find-packages.js';
import { commandLine, type ImageSpec, mainOf } from './image-specs.js';
import { traceModules } from './trace-modules.js';

/** What an image has, by paths from the root of the repository. */
export interface ImageContents {
  modules: Set<string>;
  assets: Set<string>;
  /** Workspaces that the modules belong to. */
  workspaces: Set<string>;
  /** Folders of packages of others. */
  packages: Set<string>;
  /** Modules of the command line that are not in it. */
  leftOut: Set<string>;
}

/** What the service and the command line reach, and nothing else. */
export async function imageContents(root: string, spec: ImageSpec): Promise<ImageContents> {
  const service = await traceModules({ root, entries: [mainOf(spec)], without: [] });
  const command = await traceModules({ root, entries: [commandLine], without: spec.commandWithout });
  const modules = new Set([...service.modules, ...command.modules]);
  return {
    modules,
    assets: new Set([...service.assets, ...command.assets]),
    workspaces: new Set([...modules].map((module) => module.split('/').slice(0, 2).join('/'))),
    packages: new Set([
      ...(await findPackages(root, service.packages)),
      ...(await findPackages(root, command.packages)),
    ]),
    leftOut: command.leftOut,
  };
}
