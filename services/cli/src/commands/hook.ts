import type { Command } from 'commander';

/** Only describes the command: a hook has to start fast, so `main.ts` runs it without the others. */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('called by the hooks of coding agents, with JSON on standard input')
    .argument('<event>', 'prompt: print recommendations as context; end: upload the run in the background')
    .option('--agent <name>', 'the agent_type of questions and uploads')
    .addHelpText('after', help);
}

const help = `
Takes at most two seconds and always exits with 0, whatever happens: an agent never waits for Whetstone, and never fails
because of it. Problems are in ~/.local/state/whetstone/hooks.log; see whetstone doctor.

whetstone connect writes these hooks into the settings of an agent.`;
