import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../support/product.js';

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

/** Binaries of the linter for platforms that no build and no image has; npm takes their digests from the registry. */
const isLinterElsewhere = (path: string) => /^node_modules\/@biomejs\/cli-(?!linux-(x64|arm64)$)/.test(path);

/** What `npm ci` goes by, also on the platforms that this machine is not. */
describe('the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const paths = installed.map(([path]) => path);

  it('names the version and the digest of every package', () => {
    const incomplete = installed.filter(
      ([path, { version, integrity }]) => !version || !(integrity?.startsWith('sha512-') || isLinterElsewhere(path)),
    );

    expect(installed.length).toBeGreaterThan(100);
    expect(incomplete).toEqual([]);
  });

  it('has the native parts for every platform that a package names, so that `npm ci` accepts it everywhere', () => {
    const optional = installed.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
    const missing = optional.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)));

    expect(optional.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('holds no address of a registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
