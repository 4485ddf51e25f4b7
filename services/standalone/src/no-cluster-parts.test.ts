import { execFileSync } from 'node:child_process';

it('a standalone server loads nothing of what only a cluster or a model needs', () => {
  const module = JSON.stringify(new URL('./start-standalone.js', import.meta.url).href);
  // Modules that are imported show nowhere; whoever resolves them is told.
  const hooks = `
    import { writeSync } from 'node:fs';
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context);
      writeSync(1, found.url + '\\n');
      return found;
    }`;
  const script = `
    import { createRequire, register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    await import(${module});
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

  expect(loaded).toMatch(/node_modules\/express\//);
  expect(loaded).toMatch(/node_modules\/prom-client\//);
  expect(loaded).not.toMatch(/node_modules\/(?:kafkajs|@grpc|@zilliz|openai)\//);
});
