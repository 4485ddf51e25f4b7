import { styleText } from 'node:util';

import { interactions } from './interactions/index.js';
import { tasks } from './tasks.js';
import { startThrowawayServer } from './throwaway-server.js';
import { WhetstoneClient } from './whetstone-client.js';

const usage = `Shows what agents get from Whetstone before and after it has seen their runs.

  npm run demo                              on a server of its own, gone afterwards
  npm run demo -- --url URL --key KEY       on a running server, in the collection "whetstone-demo"
`;

/** Colours for a person, plain text for a pipe. */
function style(format: 'bold' | 'cyan' | 'dim' | 'yellow', text: string): string {
  return process.stdout.isTTY ? styleText(format, text) : text;
}

async function demo(client: WhetstoneClient): Promise<void> {
  const kinds = new Set(interactions.map((interaction) => interaction.agent_type));
  const failed = interactions.filter((interaction) => !interaction.success).length;

  heading(`Before: ${tasks.length} new tasks, nothing learnt yet`);
  await showAnswers(client);

  heading(`Uploading ${interactions.length} runs of ${kinds.size} kinds of agents (${failed} of them failed)`);
  const began = performance.now();
  const jobIds = await Promise.all(interactions.map((interaction) => client.upload(interaction)));
  const accepted = performance.now();
  const jobs = await Promise.all(jobIds.map((jobId) => client.ended(jobId)));
  const stored = jobs.reduce((sum, job) => sum + (job.insights_stored ?? 0), 0);
  const silent = jobs.filter((job) => job.outcome === 'nothing_to_learn').length;
  console.log(`  all durable after ${seconds(accepted - began)}, all read after ${seconds(performance.now() - began)}`);
  console.log(`  ${stored} insights; ${silent} runs had nothing to teach`);

  heading('After: the same tasks, as the agents now get them');
  await showAnswers(client);
}

async function showAnswers(client: WhetstoneClient): Promise<void> {
  for (const task of tasks) {
    const { response, metadata } = await client.enhance(task);
    console.log(`\n${style('cyan', task.agent_type)} ${style('bold', task.input_text)}`);
    const advice = response.slice(task.input_text.length).trim();
    console.log(advice === '' ? style('dim', '  (nothing to say: the task goes through unchanged)') : indent(advice));
    if (advice !== '') console.log(style('dim', `  confidence ${metadata.confidence_score.toFixed(2)}`));
  }
}

function heading(text: string): void {
  console.log(`\n${style('yellow', `━━ ${text} `.padEnd(100, '━'))}`);
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  const url = option('--url');
  const key = option('--key');
  if (url !== undefined && key !== undefined) {
    await demo(new WhetstoneClient(url, key, 'whetstone-demo'));
    return;
  }
  const server = await startThrowawayServer();
  try {
    await demo(new WhetstoneClient(server.url, server.key, 'whetstone-demo'));
  } finally {
    await server.stop();
  }
}

await main();
