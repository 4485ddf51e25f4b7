import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('the inference runtime identifies the machine to nobody: it leaves nothing at home', async () => {
  const home = await mkdtemp(join(tmpdir(), 'whetstone-home-'));
  const module = JSON.stringify(new URL('./local-embedder.js', import.meta.url).href);
  // A process of its own, with an environment in which the runtime would report.
  const script = `
    import(${module}).then(async ({ openLocalEmbedder }) => {
      const embedder = await openLocalEmbedder({ logger: console });
      console.log((await embedder.embed('a text', 'interactive')).length);
      await embedder.close();
    });`;
  const told = execFileSync(process.execPath, ['-e', script], {
    env: { HOME: home },
    encoding: 'utf8',
  });

  expect(told).toBe('384\n');
  expect(await readdir(home, { recursive: true })).toEqual([]);
  await rm(home, { recursive: true });
});
