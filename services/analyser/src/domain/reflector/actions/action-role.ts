import { takeOutHeredocs } from '../shell/heredocs.js';
import { readInlineScript, runsInlineScript } from '../shell/inline-script.js';
import { readStages, type ShellStage } from '../shell/shell-command.js';
import { isCmdlet, wordsFor } from '../shell/shell-vocabulary.js';
import type { Action } from './action.js';

/** Looking changes nothing, changing is the deed, checking tells whether it is right, handing over leaves it to a person. */
export type ActionRole = 'look' | 'change' | 'check' | 'hand-over' | 'talk';

const lookingVerbs = new Set(
  'get list search find lookup look read fetch check show query describe view calculate compute count retrieve browse inspect verify validate estimate preview analyze analyse summarize locate filter compare explain detect is has can head ping status info details load free available availability open_hours current recent'.split(
    ' ',
  ),
);
const carriers = new Set(
  'http https api rest db sql web browser client file fs user users account order orders'.split(' '),
);
const handOverWords = /human|escalat|hand.?over|hand.?off|operator|supervisor/i;
const wanderingVerbs = /^(?:go|walk|enter|teleport|examine|inventory|wait|north|south|east|west)$/;
const testRun =
  /\b(?:pytest|unittest|jest|vitest|mocha|rspec|phpunit|tox)\b|\b(?:npm|yarn|pnpm|cargo|go|make|mvn|gradle|dotnet|bundle)\b[^|;&]{0,40}\b(?:test|check|lint)\b/;
const lookingCmdlet =
  /^(?:Get|Select|Where|ForEach|Measure|Test|Sort|Format|Group|Compare|Resolve|Show|Find|Search|ConvertTo|ConvertFrom|Write)-/;
const writesFile = /(?:^|[^0-9&>])>{1,2} ?(?!&|\/dev\/null)[\w./~$"'-]/;

export function roleOf(action: Action): ActionRole {
  switch (action.kind) {
    case 'shell':
      return shellRole(action.text);
    case 'sql':
      return /^(?:select|show|describe|desc|explain|pragma|with)$/.test(action.name) ? 'look' : 'change';
    case 'tool':
      return lookingVerbs.has(givenVerb(action) ?? '') ? 'look' : toolRole(action.name);
    case 'browser':
      return /^(?:scroll|hover|tab_focus|page_focus)$/.test(action.name) ? 'look' : 'change';
    case 'order':
      return lookingVerbs.has(action.name) || wanderingVerbs.test(action.name) || isWalk(action.text)
        ? 'look'
        : 'change';
    case 'code':
      return 'change';
    default:
      return 'talk';
  }
}

function isWalk(order: string): boolean {
  return /^move (?:north|south|east|west|forward|back)/.test(order);
}

function toolRole(name: string): ActionRole {
  if (handOverWords.test(name)) return 'hand-over';
  const [verb = '', second = ''] = wordsOfName(name);
  if (/test/.test(verb)) return 'check';
  // `http_get` and `api_list` look as well; `update_status` does not.
  return lookingVerbs.has(verb) || (carriers.has(verb) && lookingVerbs.has(second)) ? 'look' : 'change';
}

/** Of a tool that does several things, which one it was told to do: `edit_file({"command": "view"})`. */
export function givenVerb({ args }: Action): string | undefined {
  const verb = ['command', 'action', 'operation', 'method']
    .map((key) => args[key])
    .find((value) => value !== undefined);
  return verb !== undefined && /^[A-Za-z_]{2,20}$/.test(verb) ? verb.toLowerCase() : undefined;
}

/** Whether a tool of this name only looks; a program is no tool. */
export function looksUp(name: string): boolean {
  return (
    (wordsOfName(name).length > 1 || /^(?:calculate|compute|search|lookup)$/i.test(name)) && toolRole(name) === 'look'
  );
}

/** Whether a use of a run is a tool by its name, and no program with options, statement or script. */
export function isToolName(use: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(use) && wordsOfName(use).length > 1 && use !== use.toUpperCase();
}

/** The tools that changed something, each once, in order of their names. */
export function changesOf(uses: readonly string[]): Set<string> {
  return new Set(uses.filter((use) => toolRole(use) === 'change').sort());
}

/** `getUserDetails`, `get_user_details`, `users.get-details` → the words, in lower case. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function shellRole(command: string): ActionRole {
  if (testRun.test(command.slice(0, 2_000))) return 'check';
  const bare = takeOutHeredocs(command).command;
  const writes = writesFile.test(bare.slice(0, 2_000)) || readInlineScript(command)?.writes === true;
  return writes || readStages(bare).some((stage) => !runsInlineScript(stage) && changes(stage)) ? 'change' : 'look';
}

function changes({ program, options, words }: ShellStage): boolean {
  if (isCmdlet(program)) return !lookingCmdlet.test(program);
  if (program === 'find') return options.includes('-delete');
  if (program === 'sed' || program === 'perl') return options.some((option) => /^-\w*i|^--in-place/.test(option));
  if (program === 'tar') return !options.includes('-t') && !/^-?t/.test(words[0] ?? '');
  if (program === 'git') return !/^(?:status|log|diff|show|branch|remote|blame|ls-files)$/.test(words[0] ?? '');
  if (program === 'kubectl')
    return !/^(?:get|describe|logs|top|explain|rollout (?:status|history))\b/.test(words.slice(0, 2).join(' '));
  if (program === 'docker') return !/^(?:ps|logs|images|inspect|stats)$/.test(words[0] ?? '');
  if (program === 'curl') return options.some((option) => /^-(?:X|d)$|^--(?:request|data)/.test(option));
  if (
    [
      'cd',
      'source',
      'sh',
      'bash',
      'history',
      'top',
      'less',
      'more',
      'free',
      'uptime',
      'type',
      'bc',
      'test',
      'expr',
      'column',
      'zcat',
    ].includes(program)
  )
    return false;
  return wordsFor(program)?.role === undefined;
}
