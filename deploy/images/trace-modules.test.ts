import { needsOf } from './trace-modules.js';

describe('needsOf', () => {
  it('reads imports and exports, on one line and on several', () => {
    const source = `import { a } from 'one';
import two from "two";
import 'three';
import {
  b,
} from './four.js';
export { c } from '../five.js';
export * from 'six';
export const seven = Array.from('seven');`;

    expect(needsOf(source, 'a.js').imports).toEqual(['one', 'two', 'three', './four.js', '../five.js', 'six']);
  });

  it('tells what is loaded on demand from what is loaded at once, and finds what is required', () => {
    const source = `import { createRequire } from 'node:module';
const { b } = await import('./b.js');
const c = createRequire(import.meta.url)('c');
const folder = createRequire(import.meta.url).resolve('d/package.json');`;

    expect(needsOf(source, 'a.js')).toEqual({
      imports: ['node:module', 'c', 'd/package.json'],
      importsOnDemand: ['./b.js'],
      files: [],
    });
  });

  it('finds files beside the module, and the folder where only that is certain', () => {
    const source = [
      `new Worker(new URL('./worker.js', import.meta.url));`,
      'read(new URL(`../prompts/$' + '{name}.md`, import.meta.url));',
    ].join('\n');

    expect(needsOf(source, 'a.js').files).toEqual(['./worker.js', '../prompts/']);
  });

  it('does not take comments for code', () => {
    const source = `/**
 * As import(what) does, or import.meta.
 */
// import('x')
const accepts = '*/*';`;

    expect(needsOf(source, 'a.js')).toEqual({ imports: [], importsOnDemand: [], files: [] });
  });

  it.each([
    ['import(…)', 'await import(name);'],
    ['import.meta', 'const here = import.meta.dirname;'],
    ['import.meta', 'const require = createRequire(import.meta.url);'],
  ])('refuses %s that does not say what is needed, with the name of the module', (what, source) => {
    expect(() => needsOf(source, 'services/x/dist/a.js')).toThrow(`services/x/dist/a.js uses ${what}`);
  });
});
