import type { AcceptedUpload } from '@whetstone/contracts';
import type { Outline } from '../ports.js';
import { isObject, misshapenAt } from './misshapen-interaction.js';

const outside = ['jobId', 'collectionId', 'keyId', 'trust', 'acceptedAt', 'bodyDigest', 'replayedAt'] as const;
const beside = ['success', 'agentType', 'timestamp'] as const;

/** What a decoded message says beside the run. Whether it says it in the right shape is for whoever reads the outline. */
export function outlineMessage(value: unknown): Outline {
  if (!isObject(value)) return { value: undefined };
  const { interaction } = value as Partial<Record<keyof AcceptedUpload, unknown>>;
  const place = misshapenAt(interaction);
  return {
    value: { ...pick(value, outside), interaction: isObject(interaction) ? withoutRun(interaction) : undefined },
    ...(place === undefined ? {} : { misshapenAt: place }),
  };
}

/** Of the caller's own JSON, which may be large as well, nothing else is ever looked at. */
function withoutRun(interaction: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = interaction;
  const cited = isObject(metadata) ? pick(metadata, ['enhancement_id']) : {};
  return { ...pick(interaction, beside), metadata: cited };
}

function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
