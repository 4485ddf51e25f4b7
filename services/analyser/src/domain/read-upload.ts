import type { AcceptedUpload, Interaction, Micros, Turn } from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

type Fields = Record<string, unknown>;

/**
 * What a message of the uploads topic must look like to be worked on. The gateway has validated the caller's words; this
 * guards against what the gateway never wrote: another version, a stray producer, damaged bytes.
 * Throws AppError `invalid_argument`, which names the place and never quotes what stands there.
 */
export function readUpload(value: unknown): AcceptedUpload {
  const fields = objectAt(value, 'the message');
  expectThat(typeof fields['jobId'] === 'string' && readJobId(fields['jobId']) !== undefined, 'jobId');
  expectThat(
    typeof fields['collectionId'] === 'string' && /^[a-z0-9_]{1,255}$/.test(fields['collectionId']),
    'collectionId',
  );
  expectThat(typeof fields['keyId'] === 'string', 'keyId');
  expectThat(typeof fields['bodyDigest'] === 'string', 'bodyDigest');
  expectThat(isMicros(fields['acceptedAt']), 'acceptedAt');
  expectThat(fields['replayedAt'] === undefined || isMicros(fields['replayedAt']), 'replayedAt');
  checkInteraction(objectAt(fields['interaction'], 'interaction'));
  return value as AcceptedUpload;
}

export interface JobReference {
  jobId: string;
  acceptedAt: Micros;
}

/**
 * The job that a message belongs to, where at least that can be read. Where the message does not say when it was accepted, its
 * id does, or the log, which took it a moment later: the id of a job with an idempotency key names the end of its day.
 */
export function readJobReference(value: unknown, appendedAt = Number.POSITIVE_INFINITY): JobReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { jobId, acceptedAt } = value as Fields;
  const parts = typeof jobId === 'string' ? readJobId(jobId) : undefined;
  if (typeof jobId !== 'string' || !parts) return undefined;
  return { jobId, acceptedAt: isMicros(acceptedAt) ? acceptedAt : Math.min(parts.time, appendedAt) };
}

function checkInteraction(interaction: Fields & Partial<Record<keyof Interaction, unknown>>): void {
  const { query, turns, success, agentType, timestamp, metadata } = interaction;
  expectThat(typeof query === 'string', 'interaction.query');
  expectThat(success === undefined || typeof success === 'boolean', 'interaction.success');
  expectThat(isOptionalText(agentType), 'interaction.agentType');
  expectThat(timestamp === undefined || Number.isSafeInteger(timestamp), 'interaction.timestamp');
  if (metadata !== undefined) objectAt(metadata, 'interaction.metadata');
  if (!Array.isArray(turns)) throw wrongAt('interaction.turns');
  turns.forEach((turn: unknown, index) => {
    checkTurn(objectAt(turn, `interaction.turns.${index}`), index);
  });
}

function checkTurn(
  { turn, inputs, decision, memory, result }: Partial<Record<keyof Turn, unknown>>,
  index: number,
): void {
  const isTurn =
    Number.isInteger(turn) &&
    typeof inputs === 'string' &&
    typeof decision === 'string' &&
    isOptionalText(memory) &&
    isOptionalText(result);
  expectThat(isTurn, `interaction.turns.${index}`);
}

function objectAt(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongAt(place);
  return value as Fields;
}

function expectThat(holds: boolean, place: string): void {
  if (!holds) throw wrongAt(place);
}

function wrongAt(place: string): AppError {
  return new AppError('invalid_argument', `Not an accepted upload: ${place} is missing or has a wrong shape`);
}

function isMicros(value: unknown): value is Micros {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
