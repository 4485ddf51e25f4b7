import type { Interaction, Turn } from '@whetstone/contracts';
import {
  isSecretValue,
  type OnSecret,
  redactText as redactTextOf,
  replacementFor,
  secretNameAtEnd,
} from '@whetstone/platform/redaction';

export interface Redactor {
  redactText(text: string): string;
  /** Redacts texts, and values under names such as `password`. */
  redactJson(value: unknown): unknown;
  /** May modify its argument. */
  redact(interaction: Interaction): Interaction;
}

/** Removes secrets from uploads before anything is stored. */
export function createRedactor(onSecret: OnSecret): Redactor {
  function redactText(text: string): string {
    return redactTextOf(text, onSecret);
  }

  /** Recursion is bounded by `maxDepth` of the body reader. */
  function redactJson(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactJson);
    return typeof value === 'object' && value !== null ? redactObject(value) : value;
  }

  // Object.fromEntries defines properties, so a key called __proto__ stays a key.
  function redactObject(value: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [redactText(key), redactField(key, field)]));
  }

  function redactField(key: string, value: unknown): unknown {
    const name = typeof value === 'string' || typeof value === 'number' ? secretNameAtEnd(key) : undefined;
    if (!name || !isSecretValue(name, String(value), 'told')) return redactJson(value);
    onSecret(name.kind);
    return replacementFor(name.kind);
  }

  function redactTurn(turn: Turn): Turn {
    turn.inputs = redactText(turn.inputs);
    turn.decision = redactText(turn.decision);
    if (turn.memory !== undefined) turn.memory = redactText(turn.memory);
    if (turn.result !== undefined) turn.result = redactText(turn.result);
    return turn;
  }

  return {
    redactText,
    redactJson,
    redact(interaction) {
      interaction.query = redactText(interaction.query);
      interaction.turns.forEach(redactTurn);
      if (interaction.agentType !== undefined) interaction.agentType = redactText(interaction.agentType);
      if (interaction.metadata) interaction.metadata = redactObject(interaction.metadata);
      return interaction;
    },
  };
}
