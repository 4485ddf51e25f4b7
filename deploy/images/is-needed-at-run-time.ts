/** As Node names them. */
export interface Machine {
  platform: NodeJS.Platform;
  architecture: NodeJS.Architecture;
}

const platformFolder = /(?:^|\/)(aix|android|darwin|freebsd|linux|openharmony|win32)[-/](\w+)(?=\/|$)/;
/** Types, sources and maps of what is there compiled, and what builds it. */
const source = /\.(?:[cm]?ts|map|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi)$/;
/** Binaries for the other C library; the images have glibc. */
const foreignLibrary = /\.musl\.node$/;

/** Whether a file or folder of a package, by its path in there, is of use to a process on this machine. */
export function isNeededAtRunTime(path: string, { platform, architecture }: Machine): boolean {
  if (path === 'node_modules' || source.test(path) || foreignLibrary.test(path)) return false;
  const [folder, itsPlatform, itsArchitecture] = platformFolder.exec(path) ?? [];
  return folder === undefined || (itsPlatform === platform && itsArchitecture === architecture);
}
