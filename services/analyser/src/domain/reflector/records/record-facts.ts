import { isRecord, parseJson } from '../actions/tool-call.js';
import type { Step } from '../read-steps.js';

/** The state of a record as a look-up showed it: `status` “delivered”, `insured` “no”. */
export type Facts = ReadonlyMap<string, string>;

const mostFacts = 3;
/** A word out of a few that a field can have; names, codes and prose are none. */
const stateWord = /^[a-z]{2,20}(?:[_ -][a-z]{1,20}){0,2}$/;
/** What says who or what it is, and not how it stands with it. */
const describes =
  /name|city|country|street|address|brand|colou?r|title|description|currency|language|gender|source|email|note|item|product|article|model|subject|topic|genre|object/i;
const states = /status|state|stage|phase/i;
const namesRecord = /id|number|code|ref|key/i;

/** Whether a look-up read the very record that a call was given: asked for by an argument of the same name and value, or found with it. */
export function readsRecordOf({ action, role, outcome }: Step, call: Step): boolean {
  if (action.kind !== 'tool' || role !== 'look' || outcome.kind !== 'ok') return false;
  const given = Object.entries(call.action.args).filter(([key, value]) => namesRecord.test(key) && value !== '');
  return given.some(([key, value]) => action.args[key] === value || namesItself(outcome.text, key, value));
}

/** A record begins with what it is called by; further down it names others. */
function namesItself(result: string, key: string, value: string): boolean {
  const head = result.slice(0, 200).trim();
  return head.startsWith(`{"${key}": "${value}"`) || head.startsWith(`{"${key}":"${value}"`);
}

/** How it stood with what a look-up read; empty where its result is no single record. */
export function factsOf({ outcome }: Step): Facts {
  const record = parseJson(outcome.text.trim());
  if (!isRecord(record)) return new Map();
  const facts = Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const word = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
    return typeof word === 'string' && stateWord.test(word) && !describes.test(key) && key.length <= 40
      ? [[key, word]]
      : [];
  });
  return new Map(facts.sort(([a], [b]) => Number(states.test(b)) - Number(states.test(a))).slice(0, mostFacts));
}

/** What held for all of them. */
export function sharedFacts(all: readonly Facts[]): Facts {
  const [first, ...others] = all;
  return new Map([...(first ?? [])].filter(([key, value]) => others.every((facts) => facts.get(key) === value)));
}

/** “`status` was “lent”, `overdue` “no”” */
export function factsInWords(facts: Facts): string {
  return [...facts].map(([key, value], at) => `\`${key}\`${at === 0 ? ' was' : ''} “${value}”`).join(', ');
}
