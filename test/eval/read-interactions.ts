import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectFolder } from '../support/product.js';
import type { Interaction, Labels } from './interaction.js';

/** One JSON object per line, `{labels, upload}`; the error names the first bad line and its problem. */
export async function readInteractions(file: string): Promise<Interaction[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`);
  });
  const domain = basename(file).replace(/\.\w+$/, '');
  const interactions = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [parseInteraction(line, domain)];
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: ${(error as Error).message}`);
    }
  });
  if (interactions.length === 0) throw new Error(`${file} holds no interactions`);
  return interactions;
}

/** `domain` applies to lines that name none. */
export function parseInteraction(line: string, domain: string): Interaction {
  const value = parseJson(line);
  const { labels, upload } = objectAt(value, 'the line') as { labels: unknown; upload: unknown };
  return { labels: parseLabels(labels, domain), upload: parseUpload(upload) };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`this is no JSON: ${(error as Error).message}`);
  }
}

function parseLabels(value: unknown, fallback: string): Labels {
  const { domain, task, family, winner } = objectAt(value, 'labels');
  const labels: Labels = { domain: fallback, task: textAt(task, 'labels.task') };
  if (domain != null) labels.domain = textAt(domain, 'labels.domain');
  if (family != null) labels.family = textAt(family, 'labels.family');
  if (winner != null) labels.winner = textAt(winner, 'labels.winner');
  return labels;
}

function parseUpload(value: unknown): Interaction['upload'] {
  const upload = objectAt(value, 'upload');
  if (upload['tenant_id'] !== undefined)
    throw new Error('upload.tenant_id must be left out: the evaluation chooses it');
  const success = upload['success'] ?? null;
  if (success !== null && typeof success !== 'boolean') throw new Error('upload.success must be true, false or null');
  if (!Array.isArray(upload['turns'])) throw new Error('upload.turns must be a list');
  const turns = upload['turns'].map((turn: unknown, index) => parseTurn(turn, `upload.turns[${index}]`));
  return { ...upload, query: textAt(upload['query'], 'upload.query'), turns, success };
}

function parseTurn(value: unknown, where: string): Interaction['upload']['turns'][number] {
  const turn = objectAt(value, where);
  if (!Number.isInteger(turn['turn'])) throw new Error(`${where}.turn must be a whole number`);
  for (const name of ['inputs', 'decision']) {
    if (typeof turn[name] !== 'string') throw new Error(`${where}.${name} must be a text`);
  }
  return turn as unknown as Interaction['upload']['turns'][number];
}

function objectAt(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${where} must be an object`);
  return value as Record<string, unknown>;
}

function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`${where} must be a text that is not empty`);
  return value;
}

/** The small bundled data set: five kinds of agents, one domain each. */
export async function ownDataFiles(): Promise<string[]> {
  const folder = join(projectFolder, 'test/eval/data');
  return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}
