import type { Interaction, Turn } from '@whetstone/contracts';

/**
 * Where something that should be an interaction is none; undefined where it is one. Imports nothing but types, because it reads
 * megabytes and so does it in a thread.
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
