import type { AcceptedUpload, Interaction, Turn } from '@whetstone/contracts';

import type { Outline } from '../ports.js';

/** Maximum query length in a run report, in characters. */
export const reportedQuery = 1000;

const outside = ['jobId', 'collectionId', 'keyId', 'trust', 'acceptedAt', 'bodyDigest', 'replayedAt'] as const;
const beside = ['success', 'agentType', 'timestamp'] as const;

/** The decoded message without its run. The reader validates its shape. */
export function outlineMessage(value: unknown): Outline {
  if (!isObject(value)) return { value: undefined };
  const { interaction } = value as Partial<Record<keyof AcceptedUpload, unknown>>;
  const place = misshapenAt(interaction);
  return {
    value: { ...pick(value, outside), interaction: isObject(interaction) ? withoutRun(interaction) : undefined },
    ...(place === undefined ? {} : { misshapenAt: place }),
  };
}

/** Nothing else of the caller's own JSON, which may be large, is ever read. */
function withoutRun(interaction: Record<string, unknown>): Record<string, unknown> {
  const { metadata, query } = interaction;
  const cited = isObject(metadata) ? pick(metadata, ['enhancement_id']) : {};
  const begins = typeof query === 'string' ? { query: query.slice(0, reportedQuery) } : {};
  return { ...pick(interaction, beside), ...begins, metadata: cited };
}

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/**
 * The place where a value is not a valid interaction; `undefined` if it is valid. Imports types only, because it reads
 * megabytes and therefore runs in a worker thread.
 */
export function misshapenAt(interaction: unknown): string | undefined {
  if (!isObject(interaction)) return 'interaction';
  const { query, turns, success, agentType, timestamp, metadata } = interaction as Fields<Interaction>;
  if (typeof query !== 'string') return 'interaction.query';
  if (success !== undefined && typeof success !== 'boolean') return 'interaction.success';
  if (!isOptionalText(agentType)) return 'interaction.agentType';
  if (timestamp !== undefined && !Number.isSafeInteger(timestamp)) return 'interaction.timestamp';
  if (metadata !== undefined && !isObject(metadata)) return 'interaction.metadata';
  if (!Array.isArray(turns)) return 'interaction.turns';
  const wrong = turns.findIndex((turn: unknown) => !isTurn(turn));
  return wrong < 0 ? undefined : `interaction.turns.${wrong}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Fields<Shape> = Partial<Record<keyof Shape, unknown>>;

function isTurn(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { turn, inputs, decision, memory, result } = value as Fields<Turn>;
  return (
    Number.isInteger(turn) &&
    typeof inputs === 'string' &&
    typeof decision === 'string' &&
    isOptionalText(memory) &&
    isOptionalText(result)
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
