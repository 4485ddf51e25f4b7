import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AppError } from '@whetstone/platform';

import { type Edit, edited, objectIn } from './settings-change.js';
import type { Variables } from './user-folders.js';

export interface Surroundings {
  env: Variables;
  home: string;
  /** The folder of the project. */
  cwd: string;
  /** The `whetstone` script. */
  program: string;
  /** Address of the server and collection of the project: only Cursor's settings name them. */
  url: string;
  collection: string;
}

/** A coding agent: where its settings are, and what connects it. */
export interface CodingAgent {
  title: string;
  settings(around: Surroundings, project: boolean): string;
  add(around: Surroundings, project: boolean): Edit;
  remove: Edit;
  /** What is wrong with the entries in the settings, or undefined. */
  problem(text: string, around: Surroundings): string | undefined;
  /** What is left to do after connecting. */
  next: string;
}

/** Hooks by event, in the shape that Claude Code and Codex share. */
type HookEvents = Readonly<Record<string, 'prompt' | 'end'>>;

interface HookGroup {
  hooks?: { command?: string }[];
}

/** Seconds after which the agent ends the hook. The hook itself ends earlier. */
const hookTimeout = 5;
const ours = /whetstone(?:\.mjs)?["']? hook (?:prompt|end)\b/;

function addHooks(name: string, events: HookEvents, { program }: Surroundings, project: boolean): Edit {
  // A project's settings are shared, so they name no folder of this machine.
  const start = project ? 'whetstone' : `${quoted(process.execPath)} ${quoted(program)}`;
  return (text) => {
    let result = text;
    for (const [event, hook] of Object.entries(events)) {
      const command = `${start} hook ${hook} --agent ${name}`;
      const group = { hooks: [{ type: 'command', command, timeout: hookTimeout }] };
      const first = groupsIn(result, event).length === 0;
      result = first ? edited(result, ['hooks', event], [group]) : edited(result, ['hooks', event, -1], group);
    }
    return result;
  };
}

function removeHooks(events: HookEvents): Edit {
  return (text) => {
    let result = text;
    for (const event of Object.keys(events)) {
      const groups = groupsIn(text, event);
      for (let at = groups.length - 1; at >= 0; at--) {
        const group = groups[at] as HookGroup;
        const kept = withoutOurs(group);
        if (kept !== group) result = edited(result, ['hooks', event, at], kept);
      }
      if (result !== text && groupsIn(result, event).length === 0) result = edited(result, ['hooks', event], undefined);
    }
    const emptied = result !== text && Object.keys(objectIn(result, 'hooks') ?? {}).length === 0;
    return emptied ? edited(result, ['hooks'], undefined) : result;
  };
}

function withoutOurs(group: HookGroup): HookGroup | undefined {
  if (!commandsOf(group).some((command) => ours.test(command))) return group;
  const hooks = (group.hooks ?? []).filter(({ command }) => !ours.test(command ?? ''));
  return hooks.length > 0 ? { ...group, hooks } : undefined;
}

function groupsIn(text: string, event: string): HookGroup[] {
  const groups = objectIn(text, 'hooks')?.[event] ?? [];
  if (Array.isArray(groups)) return groups as HookGroup[];
  throw new AppError('invalid_argument', `Nothing was written: "${event}" in the settings is not a list`);
}

function commandsOf(group: HookGroup): string[] {
  return (group?.hooks ?? []).map((hook) => hook?.command ?? '');
}

function problemOfHooks(events: HookEvents, text: string, { env }: Surroundings): string | undefined {
  for (const event of Object.keys(events)) {
    const command = groupsIn(text, event)
      .flatMap(commandsOf)
      .find((candidate) => ours.test(candidate));
    if (!command) return `there is no hook for ${event}`;
    const missing = programsIn(command).find((program) => !isThere(program, env));
    if (missing) return `${missing} does not exist`;
  }
  return undefined;
}

/** The words of a command before `hook`. */
function programsIn(command: string): string[] {
  const start = command.slice(0, command.lastIndexOf(' hook '));
  return [...start.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, plain]) => inQuotes ?? plain ?? '');
}

function isThere(program: string, env: Variables): boolean {
  if (program.includes('/')) return existsSync(program);
  return (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path.replace(/(["\\$`])/g, '\\$1')}"`;
}

function hookedAgent(
  name: string,
  events: HookEvents,
  rest: Pick<CodingAgent, 'title' | 'settings' | 'next'>,
): CodingAgent {
  return {
    ...rest,
    add: (around, project) => addHooks(name, events, around, project),
    remove: removeHooks(events),
    problem: (text, around) => problemOfHooks(events, text, around),
  };
}

const server = ['mcpServers', 'whetstone'];

export const codingAgents: Readonly<Record<string, CodingAgent>> = {
  'claude-code': hookedAgent(
    'claude-code',
    { UserPromptSubmit: 'prompt', Stop: 'end', SessionEnd: 'end' },
    {
      title: 'Claude Code',
      settings: ({ env, home, cwd }, project) =>
        join(project ? join(cwd, '.claude') : env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
      next: 'New sessions of Claude Code use it.',
    },
  ),
  codex: hookedAgent(
    'codex',
    { UserPromptSubmit: 'prompt', Stop: 'end' },
    {
      title: 'Codex',
      settings: ({ env, home, cwd }, project) =>
        join(project ? join(cwd, '.codex') : env['CODEX_HOME'] || join(home, '.codex'), 'hooks.json'),
      next: 'Codex runs new hooks only after you trust them: review them with /hooks in Codex.',
    },
  ),
  // Cursor's hooks cannot add context to a prompt, and its transcripts are not documented. So it gets the MCP server.
  cursor: {
    title: 'Cursor',
    settings: ({ cwd }) => join(cwd, '.cursor/mcp.json'),
    add: ({ url, collection }) => {
      const entry = {
        url: `${url}/mcp/${encodeURIComponent(collection)}`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
        headers: { Authorization: 'Bearer ${env:WHETSTONE_KEY}' },
      };
      return (text) => edited(text, server, entry);
    },
    remove: (text) => {
      const servers = objectIn(text, 'mcpServers');
      if (!servers || !('whetstone' in servers)) return text;
      return edited(text, Object.keys(servers).length === 1 ? ['mcpServers'] : server, undefined);
    },
    problem: (text) => {
      const servers = objectIn(text, 'mcpServers');
      return servers?.['whetstone'] ? undefined : 'there is no MCP server named whetstone';
    },
    next:
      "Cursor's hooks cannot add context to a prompt, so Cursor gets the MCP server of this project's collection instead: its\n" +
      'agent asks and records by itself. Start Cursor with WHETSTONE_KEY set: the file names the variable, not the key.',
  },
};
