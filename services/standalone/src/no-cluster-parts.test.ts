import { execFileSync } from 'node:child_process';

it('a standalone server loads nothing of what only a cluster needs', () => {
  const module = JSON.stringify(new URL('./start-standalone.js', import.meta.url).href);
  const script = `
    import { createRequire } from 'node:module';
    await import(${module});
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

  const loaded = (JSON.parse(printed) as string[]).join('\n');
  expect(loaded).toContain('express');
  expect(loaded).not.toMatch(/kafkajs|@grpc|@zilliz/);
});
