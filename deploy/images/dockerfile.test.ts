import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { layers } from './assemble-image.js';
import { imageContents } from './image-contents.js';
import { imageNames, imageSpecs, mainOf } from './image-specs.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dockerfile = readFileSync(join(root, 'deploy/images/Dockerfile'), 'utf8');
const stages = Object.fromEntries(
  dockerfile.split(/^(?=FROM )/m).map((text) => [/^FROM .* AS (\S+)$/m.exec(text)?.[1] ?? 'before', text]),
);

/** What the build takes from the repository. */
const copied = [...(stages['files'] ?? '').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
/** Rules of .dockerignore, the last that fits decides. */
const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

function isCopied(path: string): boolean {
  return copied.some((source) => path === source || path.startsWith(`${source}/`));
}

function workspaces(): string[] {
  const { workspaces: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  return patterns
    .flatMap((pattern) => {
      const folder = pattern.replace(/\/\*$/, '');
      return folder === pattern ? [pattern] : readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    })
    .filter((workspace) => existsSync(join(root, workspace, 'package.json')));
}

describe('deploy/images/Dockerfile', () => {
  it('has a target for every image, which starts its service and has all of its layers', () => {
    expect(Object.keys(stages).filter((name) => stages[name]?.startsWith('FROM runtime '))).toEqual([...imageNames]);
    for (const name of imageNames) {
      expect(stages[name]).toContain(`CMD ["${mainOf(imageSpecs[name])}"]`);
      expect(stages[name]).toContain(`org.opencontainers.image.title="whetstone-${name}"`);
      for (const layer of layers) expect(stages[name]).toContain(`COPY --from=files /images/${name}/${layer} ./\n`);
    }
  });

  it('installs with the manifest of every workspace: npm refuses to without', () => {
    const manifests = workspaces().map((workspace) => `COPY ${workspace}/package.json ${workspace}/\n`);

    expect([...dockerfile.matchAll(/^COPY \S+\/package\.json .*\n/gm)].map(([line]) => line).sort()).toEqual(
      manifests.sort(),
    );
  });

  it('compiles and has at hand whatever the images are made of', async () => {
    const compiled = /tsc -b (.*)$/m.exec(dockerfile)?.[1]?.split(' ');
    expect(compiled).toEqual(expect.arrayContaining([...imageNames.map((name) => `services/${name}`), 'services/cli']));
    for (const name of imageNames) {
      const { workspaces: needed, assets } = await imageContents(root, imageSpecs[name]);
      for (const path of [...needed, ...assets]) expect(`${path}: ${isCopied(path)}`).toBe(`${path}: true`);
    }
  });

  it('runs as nobody in particular, and is told to stop as the services expect', () => {
    expect(stages['runtime']).toContain('\nUSER 10001:10001\n');
    expect(stages['runtime']).toContain('\nSTOPSIGNAL SIGTERM\n');
    expect(stages['runtime']).not.toMatch(/^RUN/m);
  });
});

describe('.dockerignore', () => {
  it('lets in what the Dockerfile copies, and nothing else', () => {
    const letIn = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    const asPattern = copied.map((path) => path.replace(/^examples\/[^/]+\//, 'examples/*/'));

    expect(rules[0]).toBe('**');
    for (const path of asPattern)
      expect(letIn.filter((rule) => path === rule || path.startsWith(`${rule}/`))).toHaveLength(1);
    for (const rule of letIn) expect(asPattern).toContain(rule);
  });

  it('keeps out what was installed or built outside', () => {
    expect(rules.slice(-3)).toEqual(['**/node_modules', '**/dist', '**/*.test.ts']);
  });
});
