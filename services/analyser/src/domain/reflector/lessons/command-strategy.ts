import type { Insight } from '@whetstone/contracts';

import type { Action } from '../actions/action.js';
import { givenVerb } from '../actions/action-role.js';
import { codeParts, namesDefinedIn } from '../actions/code-parts.js';
import { differenceBetween, runSamePrograms, saysWhatChanged } from '../actions/compare-actions.js';
import { describeSql, readsSchema } from '../actions/sql-statement.js';
import { capitalised, clip, listed } from '../bounded-text.js';
import { type RunReading, tasksLike } from '../run-reading.js';
import { describeCommand, shownLine } from '../shell/describe-command.js';
import { type InlineScript, readInlineScript } from '../shell/inline-script.js';
import { type DecisiveSteps, decisiveSteps } from './decisive-steps.js';
import { exampleChars, exampleOf } from './example-of.js';

/** What a successful shell, SQL or code run did, in general words, with the deed itself as the example. */
export function commandStrategy(run: RunReading): Insight | undefined {
  const decisive = decisiveSteps(run.deeds);
  const words = decisive ? wordsFor(decisive) : undefined;
  if (!decisive || !words) return undefined;

  const { deeds, confirmation } = decisive;
  const shown = confirmation ? [...deeds, confirmation] : deeds;
  return {
    kind: 'strategy',
    title: clip(words.title, 120),
    ...tasksLike(run),
    content: [words.content, ...refinement(decisive)].join(' '),
    steps: stepsOf(decisive),
    example: exampleFor(decisive),
    polarity: 'success',
    evidence: shown.map(({ turn }) => turn),
    confidence: run.judged ? 0.5 : 0.8,
  };
}

/** How it was confirmed is shown where there is room for it: the deeds come first. */
function exampleFor({ deeds, confirmation }: DecisiveSteps): string {
  const example = exampleOf(...deeds.map(({ action }) => action));
  const check = confirmation?.action.text.trim() ?? '';
  return check === '' || example.length + check.length >= exampleChars ? example : `${example}\n${check}`;
}

interface Words {
  title: string;
  content: string;
}

function wordsFor({ deeds, confirmation }: DecisiveSteps): Words | undefined {
  const confirmed = confirmation ? ` Confirmed with ${callOf(confirmation.action)}.` : '';
  const [only, ...others] = deeds;
  const own = wordsForAction(only.action);
  if (others.length === 0) return own && { title: own.title, content: `${own.content}${confirmed}` };
  const calls = [...new Set(deeds.map(({ action }) => callOf(action)))];
  const how =
    calls.length === 1
      ? `It took ${calls.join('')}, in ${deeds.length} steps`
      : `It took, in this order, ${calls.join(', then ')}`;
  return { title: capitalised(calls.join(', then ')), content: `${how}.${confirmed}` };
}

function wordsForAction(action: Action): Words | undefined {
  if (action.kind === 'shell') return shellWords(action.text);
  if (action.kind === 'sql') return sqlWords(action);
  if (action.kind === 'code') return codeWords(action);
  return { title: `Call \`${action.name}\``, content: `One call did it: ${callOf(action)}.` };
}

function shellWords(command: string): Words | undefined {
  const script = readInlineScript(command);
  return script?.writes ? scriptWords(script) : programWords(command);
}

/** What an edit by a script is about are the files, and not the interpreter. */
function scriptWords(script: InlineScript): Words {
  const call = scriptCall(script);
  return { title: `A ${call}`, content: `One ${call}, given on the command line, does it.` };
}

function scriptCall({ program, files }: InlineScript): string {
  return `\`${program}\` script that changes ${files.length === 0 ? 'files' : listed(files.map((file) => `\`${file}\``))}`;
}

function programWords(command: string): Words | undefined {
  const { clauses, programs, title } = describeCommand(command);
  if (programs.length === 0) return undefined;
  const distinct = [...new Set(clauses)];
  const shown = distinct.slice(0, 5);
  const content =
    shown.length === 1
      ? `${capitalised(shown[0] ?? '')}: one call does it.`
      : `${capitalised(shown.join('; then '))}${distinct.length > 5 ? '; and so on' : ''}.`;
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
  const [own] = namesDefinedIn(text);
  const what = own === undefined ? `A short ${name} script` : `A short ${name} script, \`${own}\`,`;
  const by = listed(
    codeParts(text)
      .slice(0, 5)
      .map((part) => `\`${part}\``),
  );
  return by === ''
    ? { title: `${what} does it`, content: `${what} does it, with nothing but the language.` }
    : { title: `${what} with ${by}`, content: `${what} does it, built on ${by}.` };
}

function callOf(action: Action): string {
  if (action.kind === 'sql') return `\`${action.name.toUpperCase()}\``;
  if (action.kind !== 'shell') return `\`${[action.name, givenVerb(action) ?? []].flat().join(' ')}\``;
  const script = readInlineScript(action.text);
  if (script?.writes) return `a ${scriptCall(script)}`;
  return shownLine(action.text) ?? 'a command';
}

/** Of two commands only what was told otherwise to the same programs: a new pipeline is a new idea, and shows in the example. */
function refinement({ deeds, earlier }: DecisiveSteps): string[] {
  const last = deeds.at(-1);
  if (!earlier || !last || (last.action.kind === 'shell' && !runSamePrograms(earlier.action, last.action))) return [];
  const difference = differenceBetween(earlier.action, last.action);
  return difference === undefined || !saysWhatChanged(difference)
    ? []
    : [`What it has over the form tried before it: ${difference}.`];
}

function stepsOf({ looks, deeds, confirmation }: DecisiveSteps): string[] {
  const schema = looks.some(({ action }) => action.kind === 'sql' && readsSchema(action.text));
  // What begins like the deed is an earlier form of it and no look at what there is.
  const deedNames = new Set(deeds.map(({ action }) => action.name));
  const lookCalls = [
    ...new Set(looks.filter(({ action }) => !deedNames.has(action.name)).map(({ action }) => callOf(action))),
  ].slice(0, 2);
  const steps = [
    ...(schema
      ? ['Look at the tables and columns first']
      : lookCalls.length > 0
        ? [`Look first: ${listed(lookCalls)}`]
        : []),
    ...deeds.map(({ action }) => `Run ${callOf(action)}`),
    ...(confirmation ? [`Confirm with ${callOf(confirmation.action)}`] : []),
  ];
  return steps.length > 1 ? steps : [];
}
