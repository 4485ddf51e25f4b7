import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { fetchSmallModel, type ModelServer, startModelServer } from '@whetstone/deploy';

import { createAccounts } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import { type Product, projectFolder, startProduct } from '../support/product.js';
import { showProgress } from '../support/progress.js';
import { readArguments, type UpliftArguments, usage, type WorldName } from './arguments.js';
import { drawCurves } from './chart.js';
import { createChat, type ModelAddress } from './model.js';
import { curvesOf, formatArms, formatChanges, formatCurves } from './report.js';
import { runArms } from './run-arms.js';
import { missingForSandbox } from './sandbox.js';
import type { World } from './world.js';
import { deskWorld } from './worlds/desk.js';
import { sandboxParent, shellWorld } from './worlds/shell.js';
import { sqlWorld } from './worlds/sql.js';

const worlds: Record<WorldName, World> = { sql: sqlWorld, shell: shellWorld, desk: deskWorld };
/** A task, its advice and several turns. */
const contextTokens = 4096;

async function main(argv: string[]): Promise<void> {
  const wanted = readArguments(argv);
  if (wanted === undefined) {
    console.log(usage);
    return;
  }
  const out = resolve(projectFolder, wanted.out);
  mkdirSync(out, { recursive: true });
  const parts = createParts({ ...wanted, out });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void parts.end().finally(() => process.exit(1)));
  }
  try {
    const model = modelName(wanted.model);
    const chat = createChat(model, join(out, 'replies.jsonl'), parts.model);
    const chosen = await usableWorlds(wanted.worlds);
    const results = await runArms({
      ...wanted,
      ...{ out, worlds: chosen, model, chat, show: showProgress, whetstone: parts.whetstone },
    });
    const curves = curvesOf(results);
    const report = [
      formatArms(results),
      ...(curves.length > 0 ? [`Solved on the first try, per hundred tasks:\n\n${formatCurves(curves)}`] : []),
      formatChanges(results),
    ].join('\n\n');
    console.log(`\n${report}`);
    writeFileSync(join(out, 'report.md'), `${report}\n`);
    if (curves.length > 0) writeFileSync(join(out, 'curve.svg'), drawCurves(curves));
    console.log(
      `\nEverything is in ${out}: each arm's runs, every prompt and reply, report.md${curves.length > 0 ? ', curve.svg' : ''}`,
    );
  } finally {
    await parts.end();
  }
}

async function usableWorlds(names: readonly WorldName[]): Promise<World[]> {
  const lacks = names.includes('shell') ? await missingForSandbox(sandboxParent()) : undefined;
  if (lacks !== undefined) console.error(`The shell's tasks are left out: ${lacks}`);
  return names.filter((name) => name !== 'shell' || lacks === undefined).map((name) => worlds[name]);
}

function modelName(model: string): string {
  return /^https?:/.test(model) ? model : basename(model, '.gguf');
}

/** The model and Whetstone, each started on first use. */
function createParts({ model, threads, service, out }: UpliftArguments) {
  let server: Promise<ModelServer> | undefined;
  let product: Promise<Product> | undefined;

  async function startServer(): Promise<ModelServer> {
    const say = (line: string) => console.error(line);
    const file = model === 'smollm2' ? undefined : model === 'qwen' ? await fetchSmallModel({ say }) : resolve(model);
    const folder = join(out, 'model-server');
    return startModelServer({ folder, contextTokens, threads, say, ...(file === undefined ? {} : { model: file }) });
  }

  return {
    async model(): Promise<ModelAddress> {
      if (/^https?:/.test(model)) return { name: 'model', baseUrl: model.replace(/\/$/, ''), apiKey: 'none' };
      server ??= startServer();
      const { baseUrl, apiKey } = await server;
      return { name: modelName(model), baseUrl, apiKey };
    },
    async whetstone() {
      if (service !== undefined) return createClient(service.url, service.key);
      // In the same folder each time, so that it keeps what it learnt.
      const env = {
        WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
        WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
        WHETSTONE_LOG_LEVEL: 'error',
      };
      product ??= startProduct({ folder: join(out, 'whetstone'), env });
      return (await createAccounts((await product).target).open('uplift')).client;
    },
    async end() {
      await Promise.allSettled([server?.then((one) => one.stop()), product?.then((one) => one.stop())]);
    },
  };
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
