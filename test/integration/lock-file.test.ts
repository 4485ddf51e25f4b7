import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../support/product.js';

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

/** What `npm ci` goes by, also on the platforms that this machine is not. */
describe('the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  it('names the version and the digest of every package, those of other platforms included', () => {
    const incomplete = installed.filter(([, { version, integrity }]) => !version || !integrity).map(([path]) => path);

    expect(installed.length).toBeGreaterThan(100);
    expect(incomplete).toEqual([]);
  });

  it('has the native parts for both architectures', () => {
    const paths = installed.map(([path]) => path).join('\n');

    expect(paths).toContain('@biomejs/cli-linux-arm64');
    expect(paths).toContain('@biomejs/cli-linux-x64');
  });

  it('holds no address of a registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved?.startsWith('http'))).toEqual([]);
  });
});
