import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ChatRequest } from '@whetstone/platform/openai';
import { clip } from '@whetstone/reading';

import type { ModelReading } from '../../domain/learn/reflect.js';
import type { OutputMode } from './dialect.js';
import { answerSchemaFor, type Outcome } from './model-answer.js';

/** Bump on every change of the prompts: insights record the version that made them. */
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

/** The run to learn from, and runs at the same task with the opposite outcome. */
export interface Question extends Pick<ModelReading, 'run' | 'transcript'> {
  /** Empty if there are none. */
  opposites: string;
}

/** How much of an unusable answer is sent back for repair. */
const shownAnswerChars = 2_000;

/**
 * The constant part comes first, for the endpoint's prompt cache. All uploaded text is inside the fence, and nothing
 * else is.
 */
export function composeMessages(
  prompts: Prompts,
  mode: OutputMode,
  { run, transcript, opposites }: Question,
  newMarker?: NewMarker,
): Messages {
  const { marker, fenced } = fence(transcript, newMarker);
  const others = opposites === '' ? undefined : fence(opposites, newMarker);
  const source = run.judged ? 'by what its last turns say' : 'by the word of whoever ran it';
  return [
    { role: 'system', content: instructionsFor(prompts, mode, run.outcome) },
    {
      role: 'user',
      content: [
        `How the run ended, ${source}: ${run.outcome}.`,
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

/** The instructions; they include the schema if the endpoint does not enforce it. */
export function instructionsFor({ reflect }: Prompts, mode: OutputMode, outcome: Outcome): string {
  if (mode === 'json_schema') return reflect;
  const schema = JSON.stringify(answerSchemaFor(outcome));
  return `${reflect}\n\nThe object has to be valid by this JSON Schema:\n${schema}`;
}

/** The conversation so far, plus what is wrong with the answer. */
export function composeRepair({ repair }: Prompts, asked: Messages, answer: string, problem: string): Messages {
  const shown = answer.trim() === '' ? '(nothing)' : clip(answer, shownAnswerChars);
  return [
    ...asked,
    { role: 'assistant', content: shown },
    { role: 'user', content: repair.replace('{problem}', () => problem) },
  ];
}

type NewMarker = () => string;

/** Encloses a text in two random marker lines, drawn again in the unlikely case that the text contains them. */
export function fence(text: string, newMarker: NewMarker = randomMarker): { marker: string; fenced: string } {
  let marker = newMarker();
  while (text.includes(marker)) marker = newMarker();
  return { marker, fenced: `${marker}\n${text}\n${marker}` };
}

function randomMarker(): string {
  return `===== ${randomBytes(12).toString('hex')} =====`;
}
