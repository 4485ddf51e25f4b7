import {
  type AgentKnowledgeUpload,
  type AgentTurn,
  type Interaction,
  readDateTime,
  readLenientBoolean,
  type Turn,
} from '@whetstone/contracts';

/**
 * An upload as the service works on it: spellings read, null and absent the same, turns in order. What is not text in a turn
 * becomes compact JSON; `redactJson` sees it before, while names and values can still be told apart.
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

/** Stable: turns of one number stay as they came. */
function inOrder(turns: Turn[]): Turn[] {
  return turns.sort((a, b) => a.turn - b.turn);
}

/** A moment too far away to be told in microseconds, such as the year 1 of an unset clock, says nothing. */
function timestampOf(text: string | null | undefined): number | undefined {
  const { micros } = typeof text === 'string' ? readDateTime(text) : {};
  return Number.isSafeInteger(micros) ? micros : undefined;
}
