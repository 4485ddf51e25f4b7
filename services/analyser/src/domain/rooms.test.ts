import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const domain = fileURLToPath(new URL('../../src/domain', import.meta.url));
const rooms = ['jobs', 'learn', 'answer'];

/** The other rooms that a file imports from. */
function reachedInto(file: string): string[] {
  const own = relative(domain, file).split(sep)[0];
  const imports = [...readFileSync(file, 'utf8').matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, path = '']) => path);
  return imports
    .map((path) => relative(domain, join(file, '..', path)).split(sep)[0] ?? '')
    .filter((room) => rooms.includes(room) && room !== own);
}

it('no room imports from another', () => {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const reaches = files.map((file) => [file, reachedInto(join(domain, file))]).filter(([, into]) => into?.length !== 0);

  expect(files.length).toBeGreaterThan(20);
  expect(reaches).toEqual([]);
});
