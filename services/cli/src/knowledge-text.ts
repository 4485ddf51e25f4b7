import type { InsightBody, Row, RunBody } from '@whetstone/indexer';

import { shortTimeOf } from './io.js';

const outcomes = { success: 'succeeded', failure: 'failed', unknown: 'outcome unknown' };

/** The heading above its rows. */
export function collectionText(collectionId: string, name: string | undefined): string {
  return `# Collection ${name === undefined ? collectionId : `${oneLine(name)} (${collectionId})`}\n\n`;
}

/** A run, or what it taught, in Markdown. Votes, decisions and summaries of answers are left out. */
export function knowledgeText(row: Row): string {
  if (row.type === 'run') return runText(row.intent, JSON.parse(row.body) as RunBody);
  if (row.type === 'insight') return insightText(JSON.parse(row.body) as InsightBody);
  return '';
}

function runText(intent: string, { run, origin, answers }: RunBody): string {
  if (answers) return '';
  const { jobId, acceptedAt } = origin;
  const outcome = `${outcomes[run.outcome]}${run.judged ? ' (judged from its turns)' : ''}`;
  const facts = [
    `uploaded ${timeText(acceptedAt)}`,
    ...(origin.agentType === undefined ? [] : [`agent type ${oneLine(origin.agentType)}`]),
    outcome,
    jobId,
    `key ${origin.keyId}`,
  ];
  return `## ${oneLine(intent)}\n\n${facts.join(', ')}\n\n`;
}

function insightText({ insight, tally }: Pick<InsightBody, 'insight' | 'tally'>): string {
  const { kind, title, content, appliesWhen, notWhen, steps, example, confidence } = insight;
  const details = [
    ...(tally ? [`- ${tally.runs} runs, first ${timeText(tally.firstSeen)}, last ${timeText(tally.lastSeen)}`] : []),
    `- Kind: ${kind}, confidence ${Math.round(confidence * 100)} %`,
    ...(appliesWhen ? [`- When: ${oneLine(appliesWhen)}`] : []),
    ...(notWhen ? [`- Not when: ${oneLine(notWhen)}`] : []),
    ...steps.map((step, index) => `- Step ${index + 1}: ${oneLine(step)}`),
  ];
  const parts = [`### ${oneLine(title)}`, oneLine(content), details.join('\n')];
  if (example !== undefined) parts.push(`Example:\n\n${indented(example)}`);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n\n`;
}

function timeText(micros: number): string {
  return `${shortTimeOf(micros)} UTC`;
}

/** What agents wrote may hold escape sequences, which must not reach a terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** Markdown shows indented text as it stands, whatever it contains. */
function indented(text: string): string {
  return printable(text).replaceAll(/^/gm, '    ');
}
