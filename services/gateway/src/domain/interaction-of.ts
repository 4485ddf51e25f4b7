import {
  type AgentKnowledgeUpload,
  type AgentTurn,
  type Interaction,
  readDateTime,
  readLenientBoolean,
  type Turn,
} from '@whetstone/contracts';

/**
 * Normalises an upload: reads lenient values, treats null as absent and sorts the turns. Turn values that are not text become
 * compact JSON, after `redactJson`, which needs names and values apart.
 */
export function interactionOf(
  upload: AgentKnowledgeUpload,
  redactJson: (value: unknown) => unknown = (value) => value,
): Interaction {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(redactJson(value)));
  const interaction: Interaction = {
    query: upload.query,
    turns: inOrder(upload.turns.map((turn) => turnOf(turn, textOf))),
  };
  const success = readLenientBoolean(upload.success);
  const timestamp = timestampOf(upload.timestamp);
  if (success !== undefined) interaction.success = success;
  if (typeof upload.agent_type === 'string') interaction.agentType = upload.agent_type;
  if (timestamp !== undefined) interaction.timestamp = timestamp;
  if (upload.metadata) interaction.metadata = upload.metadata;
  return interaction;
}

function turnOf({ turn, inputs, decision, memory, result }: AgentTurn, textOf: (value: unknown) => string): Turn {
  const made: Turn = { turn, inputs: textOf(inputs), decision: textOf(decision) };
  if (memory !== undefined && memory !== null) made.memory = textOf(memory);
  if (result !== undefined && result !== null) made.result = textOf(result);
  return made;
}

/** Stable: turns with the same number keep their order. */
function inOrder(turns: Turn[]): Turn[] {
  return turns.sort((a, b) => a.turn - b.turn);
}

/** Dates too far away to count in microseconds, such as the year 1 of an unset clock, are dropped. */
function timestampOf(text: string | null | undefined): number | undefined {
  const { micros } = typeof text === 'string' ? readDateTime(text) : {};
  return Number.isSafeInteger(micros) ? micros : undefined;
}
