import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ChatRequest } from '@whetstone/platform/openai';
import { clip } from '@whetstone/reading';

import type { ModelReading } from '../../domain/learn/reflect.js';
import type { OutputMode } from './dialect.js';
import { answerSchemaFor, type Outcome } from './model-answer.js';

/** Changes with every change of what the prompts say: an insight names the version that it was made by. */
export const promptVersion = 'v2';

export interface Prompts {
  reflect: string;
  repair: string;
}

export async function readPrompts(): Promise<Prompts> {
  const [reflect, repair] = await Promise.all([readPrompt('reflect'), readPrompt('repair')]);
  return { reflect, repair };
}

async function readPrompt(name: string): Promise<string> {
  const file = new URL(`../../../prompts/${name}.${promptVersion}.md`, import.meta.url);
  return (await readFile(file, 'utf8')).trim();
}

export type Messages = ChatRequest['messages'];

/** What a model is asked about: a run, and what others did at the same task that ended the other way, if any. */
export interface Question extends Pick<ModelReading, 'run' | 'transcript'> {
  /** Empty where there are none. */
  opposites: string;
}

/** What of an answer that cannot be used is shown to the model again. */
const shownAnswerChars = 2_000;

/**
 * What is the same for every run comes first, so that endpoints can keep what they have read of it. Everything that was
 * uploaded stands inside the fence, and nothing else does.
 */
export function composeMessages(
  prompts: Prompts,
  mode: OutputMode,
  { run, transcript, opposites }: Question,
  newMarker?: NewMarker,
): Messages {
  const { marker, fenced } = fence(transcript, newMarker);
  const others = opposites === '' ? undefined : fence(opposites, newMarker);
  const told = run.judged ? 'by what its last turns say' : 'by the word of whoever ran it';
  return [
    { role: 'system', content: instructionsFor(prompts, mode, run.outcome) },
    {
      role: 'user',
      content: [
        `How the run ended, ${told}: ${run.outcome}.`,
        `The record stands between the two lines that read ${marker}`,
        fenced,
        ...(others === undefined
          ? []
          : [
              `Other runs at the same task ended the other way. What they did stands between the two lines that read ${others.marker}`,
              others.fenced,
            ]),
        'That was the record. Answer with the JSON object.',
      ].join('\n'),
    },
  ];
}

/** What every request says, whatever the run; where the endpoint holds nobody to the schema, with the schema. */
export function instructionsFor({ reflect }: Prompts, mode: OutputMode, outcome: Outcome): string {
  if (mode === 'json_schema') return reflect;
  const schema = JSON.stringify(answerSchemaFor(outcome));
  return `${reflect}\n\nThe object has to be valid by this JSON Schema:\n${schema}`;
}

/** The same again, with what was wrong with the answer. */
export function composeRepair({ repair }: Prompts, asked: Messages, answer: string, problem: string): Messages {
  const said = answer.trim() === '' ? '(nothing)' : clip(answer, shownAnswerChars);
  return [
    ...asked,
    { role: 'assistant', content: said },
    { role: 'user', content: repair.replace('{problem}', () => problem) },
  ];
}

export type NewMarker = () => string;

/**
 * Puts a text between two lines that it cannot contain: they are drawn anew for each request, after the text was written, and
 * drawn again in the one case in 2^96 that it holds them.
 */
export function fence(text: string, newMarker: NewMarker = randomMarker): { marker: string; fenced: string } {
  let marker = newMarker();
  while (text.includes(marker)) marker = newMarker();
  return { marker, fenced: `${marker}\n${text}\n${marker}` };
}

function randomMarker(): string {
  return `===== ${randomBytes(12).toString('hex')} =====`;
}
