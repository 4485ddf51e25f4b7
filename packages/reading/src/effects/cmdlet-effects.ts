import type { Effect } from '@whetstone/contracts/messages';
import { codeLanguage } from '../actions/code.js';

const cmdlet = /(?<![\p{L}\p{N}_."'-])([A-Z][a-z]{1,20})-[A-Z][A-Za-z]{2,60}(?=[\s;|)}]|$)/gu;
const reading = new Set(
  (
    'Get Select Where Sort Measure Format Group Compare Test Out ConvertTo ConvertFrom Write Find Search Show Resolve Split Join ' +
    'Foreach ForEach Import Read Wait Trace'
  ).split(' '),
);
const destroying = new Set('Remove Clear Uninstall Stop Reset Revoke Unregister Dismount'.split(' '));

/** Starts of the parts of a pipeline or script: a cmdlet, an assigned one, the rest of a block. */
const known = /^(?:\$\w{1,60}\s?=\s?)?(?:[A-Z][a-z]{1,20}-[A-Z]|[)}]*$)/;

/** Whether a text is PowerShell: a cmdlet begins most of its lines. */
export function usesCmdlets(text: string): boolean {
  return codeLanguage(text) === 'powershell';
}

/** `\\\\fs1\\reports`, a folder of another machine. */
const share = /(?<![\w\\])\\\\[\w.-]{1,100}\\\w/;
const staying = /(?<![\w-])(?:Register-Scheduled(?:Task|Job)|New-Service)(?![\w-])/;

/** PowerShell says by its verb what a cmdlet does: `Get-Item`, `Remove-Item`. */
export function cmdletEffects(text: string): Set<Effect> {
  const effects = new Set<Effect>();
  if (!usesCmdlets(text)) return effects;
  for (const [, verb = ''] of text.matchAll(cmdlet)) {
    if (destroying.has(verb)) effects.add('destroys');
    else if (verb === 'Invoke') effects.add('unreadable');
    else if (!reading.has(verb)) effects.add('changes');
  }
  if (share.test(text)) effects.add('connects');
  if (staying.test(text)) effects.add('persists');
  // A program that nobody knows counts as a change, as in any command.
  if (text.split(/[|;\n]+|&&/).some((part) => !known.test(part.trim()))) effects.add('changes');
  return effects;
}
