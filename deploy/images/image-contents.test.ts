import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isNeededAtRunTime, layers } from './assemble-image.js';
import { type ImageContents, imageContents } from './image-contents.js';
import { imageNames, imageSpecs, mainOf } from './image-specs.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const contents = {} as Record<string, ImageContents>;

beforeAll(async () => {
  for (const name of imageNames) contents[name] = await imageContents(root, imageSpecs[name]);
});

function packagesIn(name: string): string[] {
  return [...(contents[name]?.packages ?? [])].map((folder) => folder.replace(/^.*node_modules\//, ''));
}

it('every service that can be started has an image', async () => {
  const services = await readdir(join(root, 'services'));
  const started = services.filter((name) => existsSync(join(root, 'services', name, 'src', 'main.ts')));

  expect(started.filter((name) => name !== 'cli').sort()).toEqual([...imageNames].sort());
});

describe.each(imageNames)('the image %s', (name) => {
  it('has the command line, and what its service starts with', () => {
    const { modules } = contents[name]!;

    expect(modules).toContain('services/cli/bin/whetstone.mjs');
    expect(modules).toContain('services/cli/dist/run.js');
    expect(modules).toContain(`services/${name}/dist/main.js`);
  });

  it('has no tests, no tools of tests and nothing that builds', () => {
    const { modules, workspaces } = contents[name]!;

    expect([...modules].filter((module) => /\.test\.js$|test-kit|conformance/.test(module))).toEqual([]);
    expect([...workspaces].filter((workspace) => !/^(?:packages|services)\//.test(workspace))).toEqual([]);
    for (const tool of ['typescript', 'jest', '@biomejs/biome', 'esbuild-wasm', 'wabt'])
      expect(packagesIn(name)).not.toContain(tool);
    expect(packagesIn(name).filter((other) => other.startsWith('@types/'))).toEqual([]);
  });

  it('has every file that it names', () => {
    const { modules, assets, packages } = contents[name]!;

    for (const path of [...modules, ...assets, ...packages])
      expect(`${path}: ${existsSync(join(root, path))}`).toBe(`${path}: true`);
  });
});

describe.each([
  ['x64', 62],
  ['arm64', 183],
] as const)('for %s', (architecture, elfMachine) => {
  it.each(imageNames)('the image %s has the binaries of its packages, each for that machine', (name) => {
    const machine = { platform: 'linux', architecture } as const;
    const binaries = [...contents[name]!.packages].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.node$|\.so(\.|$)/.test(path) && !path.includes('node_modules'))
        .filter((path) => isNeededAtRunTime(path, machine))
        .map((path) => join(folder, path)),
    );

    const packagesWithBinaries = binaries.map((path) =>
      path
        .split('/')
        .slice(1, path.includes('/@') ? 3 : 2)
        .join('/'),
    );
    const expected = ['indexer', 'standalone'].includes(name) ? ['onnxruntime-node'] : [];
    expect([...new Set(packagesWithBinaries)].sort()).toEqual(['@photostructure/sqlite', ...expected]);
    // The bytes of an ELF header that name the machine.
    for (const path of binaries) expect(readFileSync(join(root, path)).readUInt16LE(18)).toBe(elfMachine);
  });
});

describe('an image has what its service uses and nothing of others', () => {
  it.each([
    ['gateway', ['express', 'kafkajs', '@grpc/grpc-js'], ['onnxruntime-node', '@zilliz/milvus2-sdk-node', 'openai']],
    ['analyser', ['openai', 'kafkajs'], ['express', 'onnxruntime-node', '@zilliz/milvus2-sdk-node']],
    ['indexer', ['onnxruntime-node', '@zilliz/milvus2-sdk-node', 'openai'], ['express', 'kafkajs']],
    ['status', ['@photostructure/sqlite', 'kafkajs'], ['express', 'onnxruntime-node', 'openai']],
    [
      'standalone',
      ['express', 'onnxruntime-node', 'openai'],
      ['kafkajs', '@zilliz/milvus2-sdk-node', 'grpc-health-check'],
    ],
  ])('%s', (name, there, absent) => {
    expect(packagesIn(name)).toEqual(expect.arrayContaining(there));
    expect(packagesIn(name).filter((other) => absent.includes(other))).toEqual([]);
  });

  it('services of a cluster have no other service in them, standalone has no calls between services', () => {
    for (const name of ['gateway', 'analyser', 'indexer', 'status']) {
      const services = [...contents[name]!.workspaces].filter((workspace) => workspace.startsWith('services/'));
      expect(services.sort()).toEqual(['services/cli', `services/${name}`].sort());
    }
    expect(contents['standalone']!.workspaces).not.toContain('packages/rpc');
  });

  it('the model, the prompts, the console and the protocols are where they are used', () => {
    const assets = Object.fromEntries(imageNames.map((name) => [name, [...contents[name]!.assets].sort()]));
    const model = 'services/indexer/models/all-MiniLM-L6-v2';
    const prompts = 'services/analyser/prompts';
    const pages = 'packages/console/dist/app';

    expect(assets).toEqual({
      gateway: [pages, 'proto'],
      analyser: ['proto', prompts],
      indexer: ['proto', model],
      status: ['proto'],
      standalone: [pages, prompts, model],
    });
  });

  it('the command line does without what is not there, and only without that', () => {
    expect([...contents['standalone']!.leftOut].sort()).toEqual([
      '@whetstone/event-log/kafka',
      '@whetstone/indexer/milvus',
      'services/cli/dist/installation/open-kafka.js',
      'services/cli/dist/installation/open-reindexing.js',
    ]);
    expect(contents['gateway']!.modules).toContain('services/cli/dist/key-book.js');
    expect(contents['gateway']!.modules).toContain('services/cli/dist/installation/open-kafka.js');
    expect(contents['indexer']!.modules).toContain('services/cli/dist/installation/open-reindexing.js');
  });
});

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

  it('names its bases by version and digest', () => {
    const bases = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, reference]) => reference);

    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^docker\.io\/library\/[a-z]+:[\w.-]+@sha256:[\da-f]{64}$/);
    const used = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, from]) => from);
    expect(new Set(used)).toEqual(new Set([`\${NODE_IMAGE}`, `\${BASE_IMAGE}`, 'runtime']));
  });

  it('installs with the manifest of every workspace: npm refuses to without', () => {
    const manifests = workspaces().map((workspace) => `COPY ${workspace}/package.json ${workspace}/\n`);

    expect([...dockerfile.matchAll(/^COPY \S+\/package\.json .*\n/gm)].map(([line]) => line).sort()).toEqual(
      manifests.sort(),
    );
  });

  it('compiles and has at hand whatever the images are made of', () => {
    const compiled = /tsc -b (.*)$/m.exec(dockerfile)?.[1]?.split(' ');
    expect(compiled).toEqual(expect.arrayContaining([...imageNames.map((name) => `services/${name}`), 'services/cli']));
    for (const name of imageNames) {
      const { workspaces: needed, assets } = contents[name]!;
      for (const path of [...needed, ...assets].filter((one) => !one.includes('/dist/')))
        expect(`${path}: ${isCopied(path)}`).toBe(`${path}: true`);
    }
  });

  it('builds the console', () => {
    expect(stages['files']).toContain('&& node packages/console/bin/build.mjs\n');
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
