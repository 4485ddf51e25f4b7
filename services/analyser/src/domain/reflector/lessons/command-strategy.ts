import type { Insight } from '@whetstone/contracts';

import type { Action } from '../action.js';
import { roleOf } from '../action-role.js';
import { capitalised, clip, listed } from '../bounded-text.js';
import { differenceBetween } from '../compare-actions.js';
import { describeCommand } from '../describe-command.js';
import type { Step } from '../read-steps.js';
import { exampleOf, type RunReading, tasksLike } from '../run-reading.js';
import { readStages } from '../shell-command.js';
import { describeSql, readsSchema } from '../sql-statement.js';
import { type DecisiveSteps, decisiveSteps } from './decisive-steps.js';

/** What a successful shell, SQL or code run did, in general words, with the deed itself as the example. */
export function commandStrategy(run: RunReading): Insight | undefined {
  const decisive = decisiveSteps(run.deeds);
  const last = decisive?.steps.at(-1);
  if (!decisive || !last || (last.outcome.kind === 'error' && run.judged)) return undefined;

  const words = wordsFor(decisive);
  if (!words) return undefined;
  return {
    kind: 'strategy',
    title: clip(words.title, 120),
    ...tasksLike(run),
    content: [words.content, ...refinement(decisive, last)].join(' '),
    steps: stepsOf(decisive),
    example: exampleOf(...decisive.steps.map(({ action }) => action)),
    polarity: 'success',
    evidence: decisive.steps.map(({ turn }) => turn),
    confidence: run.judged ? 0.5 : 0.8,
  };
}

interface Words {
  title: string;
  content: string;
}

function wordsFor(decisive: DecisiveSteps): Words | undefined {
  const deeds = decisive.steps.filter((step) => step !== decisive.check);
  const main = deeds.findLast(({ action }) => roleOf(action) === 'change') ?? deeds.at(-1) ?? decisive.check;
  if (!main) return undefined;
  const own = wordsForAction(main.action);
  if (!own) return undefined;
  const others = decisive.steps.filter((step) => step !== main).map(({ action }) => callOf(action));
  const around = others.length === 0 ? '' : ` Together with ${listed([...new Set(others)])}.`;
  return { title: own.title, content: `${own.content}${around}` };
}

function wordsForAction(action: Action): Words | undefined {
  if (action.kind === 'shell') return shellWords(action.text);
  if (action.kind === 'sql') return sqlWords(action);
  if (action.kind === 'code') return codeWords(action);
  return undefined;
}

function shellWords(command: string): Words | undefined {
  const { clauses, programs, title } = describeCommand(command);
  if (programs.length === 0) return undefined;
  const shown = clauses.slice(0, 5);
  const content =
    shown.length === 1
      ? `${capitalised(shown[0] ?? '')}: one call does it.`
      : `${capitalised(shown.join('; then '))}${clauses.length > 5 ? '; and so on' : ''}.`;
  return { title: `Use ${title}`, content };
}

function sqlWords({ name, text }: Action): Words {
  const features = describeSql(text);
  const verb = name.toUpperCase();
  if (features === '')
    return {
      title: `A plain \`${verb}\` answers it`,
      content: `One plain \`${verb}\` is enough: no joins or groups are needed.`,
    };
  return { title: `\`${verb}\` with ${features}`, content: `One statement does it: \`${verb}\` with ${features}.` };
}

function codeWords({ name, text }: Action): Words {
  const calls = [...new Set(text.slice(0, 3_000).match(/\b[a-z_][\w.]{2,40}(?=\()/gi) ?? [])].filter(
    (call) => !/^(?:print|len|str|int|range|if|for|while|return|def)$/.test(call),
  );
  const modules = [
    ...new Set([...text.slice(0, 3_000).matchAll(/^(?:import|from) ([\w.]{1,40})/gm)].map(([, module = '']) => module)),
  ];
  const by = listed([...modules, ...calls].slice(0, 5).map((call) => `\`${call}\``));
  return by === ''
    ? { title: `A short ${name} script does it`, content: `A short ${name} script does it in one go.` }
    : {
        title: `A short ${name} script with ${by}`,
        content: `A short ${name} script does it in one go, built on ${by}.`,
      };
}

function callOf(action: Action): string {
  if (action.kind === 'shell')
    return `\`${[...new Set(readStages(action.text).map(({ program }) => program))].slice(0, 3).join(' | ')}\``;
  return `\`${action.name}\``;
}

function refinement({ earlier }: DecisiveSteps, last: Step): string[] {
  const difference = earlier ? differenceBetween(earlier.action, last.action) : undefined;
  return difference === undefined ? [] : [`What it has over the form tried before it: ${difference}.`];
}

function stepsOf(decisive: DecisiveSteps): string[] {
  const { looks, steps, check } = decisive;
  if (looks.length + steps.length < 2) return [];
  const schema = looks.some(({ action }) => action.kind === 'sql' && readsSchema(action.text));
  const lookCalls = [...new Set(looks.map(({ action }) => callOf(action)))].slice(0, 4);
  return [
    ...(schema
      ? ['Look at the tables and columns first']
      : lookCalls.length > 0
        ? [`Look first: ${listed(lookCalls)}`]
        : []),
    ...steps.filter((step) => step !== check).map(({ action }) => `Run ${callOf(action)}`),
    ...(check ? [`Check with ${callOf(check.action)}`] : []),
  ];
}
