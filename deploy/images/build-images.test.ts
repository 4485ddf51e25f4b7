import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { archiveArguments, buildArguments, dockerfilePath, labelTarget, parseBuildOptions } from './build-images.js';

const request = {
  dockerfile: 'deploy/images/Dockerfile',
  context: '.',
  target: 'gateway',
  reference: 'localhost/whetstone-gateway:dev',
  platform: 'linux/arm64',
  secrets: { npmrc: '/home/a/.npmrc' },
};

const shared =
  '--file deploy/images/Dockerfile --target gateway --tag localhost/whetstone-gateway:dev --platform linux/arm64 --secret id=npmrc,src=/home/a/.npmrc .';

it('builds from a file that exists', () => {
  expect(existsSync(join(fileURLToPath(new URL('../../../', import.meta.url)), dockerfilePath))).toBe(true);
});

it.each([
  ['docker', `build ${shared}`],
  ['podman', `build --layers ${shared}`],
  ['buildah', `build --layers ${shared}`],
] as const)('%s is told what to build', (tool, command) => {
  expect(buildArguments(tool, request).join(' ')).toBe(command);
});

it.each([
  ['docker', 'save --output a.tar x:1'],
  ['podman', 'save --format docker-archive --output a.tar x:1'],
  ['buildah', 'push x:1 docker-archive:a.tar:x:1'],
] as const)('%s is told to write an archive', (tool, command) => {
  expect(archiveArguments(tool, 'x:1', 'a.tar').join(' ')).toBe(command);
});

describe('npm run images', () => {
  it('builds all images, under a name that no registry has, when nothing is said', () => {
    expect(parseBuildOptions([])).toMatchObject({
      images: ['gateway', 'analyser', 'indexer', 'status', 'standalone'],
      registry: 'localhost',
      tool: undefined,
      secrets: {},
    });
  });

  it('builds those that are named', () => {
    const { images, tool, secrets } = parseBuildOptions(['--tool', 'podman', '--npmrc', 'a', 'status', 'gateway']);

    expect({ images, tool, secrets }).toEqual({
      images: ['status', 'gateway'],
      tool: 'podman',
      secrets: { npmrc: 'a' },
    });
  });

  it.each([
    ["There is no image 'gatway'; there is gateway, analyser", ['gatway']],
    ["There is no tool 'kaniko'; there is docker, podman, buildah", ['--tool', 'kaniko']],
    ["Unknown option '--tags'", ['--tags', 'x']],
  ])('says: %s', (message, args) => {
    expect(() => parseBuildOptions(args)).toThrow(message);
  });
});

const dockerfile = 'FROM a AS files\nRUN x\n\nFROM b AS gateway\nCMD ["g"]\n\nFROM b AS status\nCMD ["s"]\n';

describe('labels of an image', () => {
  it('are the last step of its target, which is the last of the file', () => {
    expect(labelTarget(dockerfile, 'gateway', { version: '1.0.0', revision: 'c0ffee' })).toBe(
      'FROM a AS files\nRUN x\n\nFROM b AS gateway\nCMD ["g"]\nLABEL version="1.0.0"\nLABEL revision="c0ffee"\n',
    );
    expect(labelTarget(dockerfile, 'status', { version: '1' })).toBe(`${dockerfile}LABEL version="1"\n`);
  });

  it('are what was given, to the letter', () => {
    expect(labelTarget(dockerfile, 'status', { source: 'a "b" $c \\d' })).toContain(
      'LABEL source="a \\"b\\" \\$c \\\\d"\n',
    );
  });
});
