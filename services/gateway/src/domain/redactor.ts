import type { Interaction, Turn } from '@whetstone/contracts';
import {
  isSecretValue,
  type OnSecret,
  redactPersonalData,
  redactText as redactTextOf,
  replacementFor,
  secretNameAt,
} from '@whetstone/platform/redaction';

export interface Redactor {
  redactText(text: string): string;
  /** Redacts texts, and values under names such as `password`. */
  redactJson(value: unknown): unknown;
  /** May modify its argument. */
  redact(interaction: Interaction): Interaction;
}

export interface RedactionOptions {
  /** Also remove e-mail addresses, phone numbers and numbers of payment cards. */
  personalData: boolean;
}

/** Removes secrets from uploads before anything is stored. */
export function createRedactor(onSecret: OnSecret, { personalData }: RedactionOptions): Redactor {
  function redactText(text: string): string {
    const rest = redactTextOf(text, onSecret);
    return personalData ? redactPersonalData(rest, onSecret) : rest;
  }

  /** Recursion is bounded by `maxDepth` of the body reader. */
  function redactJson(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactJson);
    return typeof value === 'object' && value !== null ? redactObject(value) : value;
  }

  // Object.fromEntries defines properties, so a key called __proto__ stays a key.
  function redactObject(value: object): Record<string, unknown> {
    const named = nameOf(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [
        redactText(key),
        redactField(key === 'value' && named !== undefined ? named : key, field),
      ]),
    );
  }

  /** Of `{ "name": "DB_PASSWORD", "value": … }`, the name. */
  function nameOf(value: object): string | undefined {
    const { name, key } = value as Record<string, unknown>;
    const named = name ?? key;
    return typeof named === 'string' ? named : undefined;
  }

  function redactField(key: string, value: unknown): unknown {
    const name = typeof value === 'string' || typeof value === 'number' ? secretNameAt(key, key.length) : undefined;
    if (!name || !isSecretValue(name, String(value), 'told')) return redactJson(value);
    onSecret(name.kind);
    return replacementFor(name.kind);
  }

  /** @param harmless texts without secrets so far: turns often repeat what an earlier one has shown */
  function redactTurn(turn: Turn, harmless: Set<string>): void {
    const redacted = (text: string) => {
      if (harmless.has(text)) return text;
      const rest = redactText(text);
      if (rest === text) harmless.add(text);
      return rest;
    };
    turn.inputs = redacted(turn.inputs);
    turn.decision = redacted(turn.decision);
    if (turn.memory !== undefined) turn.memory = redacted(turn.memory);
    if (turn.result !== undefined) turn.result = redacted(turn.result);
  }

  return {
    redactText,
    redactJson,
    redact(interaction) {
      interaction.query = redactText(interaction.query);
      const harmless = new Set<string>();
      for (const turn of interaction.turns) redactTurn(turn, harmless);
      if (interaction.agentType !== undefined) interaction.agentType = redactText(interaction.agentType);
      if (interaction.metadata) interaction.metadata = redactObject(interaction.metadata);
      return interaction;
    },
  };
}
