import { isNeededAtRunTime, type Machine } from './assemble-image.js';

const x64: Machine = { platform: 'linux', architecture: 'x64' };
const arm64: Machine = { platform: 'linux', architecture: 'arm64' };

it.each([
  'lib/index.js',
  'package.json',
  'LICENSE.md',
  'bin/napi-v6/linux/x64/libonnxruntime.so.1',
  'prebuilds/linux-x64/sqlite.glibc.node',
  'lib/platform/linux.js',
  'bin',
])('an image for x64 needs %s of a package', (path) => {
  expect(isNeededAtRunTime(path, x64)).toBe(true);
});

it.each([
  'bin/napi-v6/linux/arm64/libonnxruntime.so.1',
  'bin/napi-v6/darwin/x64',
  'prebuilds/win32-x64/sqlite.glibc.node',
  'prebuilds/linux-x64/sqlite.musl.node',
  'lib/index.d.ts',
  'lib/index.d.mts',
  'lib/index.js.map',
  'src/sqlite3.c',
  'binding.gyp',
  'node_modules',
])('an image for x64 does without %s of a package', (path) => {
  expect(isNeededAtRunTime(path, x64)).toBe(false);
});

it('an image for arm64 has its own', () => {
  expect(isNeededAtRunTime('bin/napi-v6/linux/arm64/libonnxruntime.so.1', arm64)).toBe(true);
  expect(isNeededAtRunTime('bin/napi-v6/linux/x64/libonnxruntime.so.1', arm64)).toBe(false);
});
