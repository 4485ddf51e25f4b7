import type { Insight } from '@whetstone/contracts';

const overrides =
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|system|these|the)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|messages|directions|context)\b|\byou are now\b|\bnew (?:system )?instructions?\s?:|\b(?:reveal|print|show|repeat|leak|send)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt|your (?:instructions|prompt|credentials))\b|<\/?(?:system|assistant|instructions?)>|\[\/?(?:INST|SYS)\]|<\|(?:im_start|im_end|system|user|assistant)\|>/i;

/** A lesson that tells its reader to drop the reader's own instructions is an attack that was uploaded, not a lesson. */
export function triesToOverride(insight: Insight): boolean {
  const texts = [
    insight.title,
    insight.appliesWhen,
    insight.notWhen,
    insight.content,
    ...insight.steps,
    insight.example,
  ];
  return texts.some((text) => text !== undefined && overrides.test(text));
}
