import type {
  CollectionSettings,
  DecidedState,
  InsightKind,
  Lesson,
  LessonState,
  LessonVerdict,
} from '@whetstone/contracts';
import { shortDigest } from '@whetstone/contracts/messages';

import { isInsightName, lessonIdOf, personRule } from './insight-names.js';
import type { FoundLesson, FoundLessons, Row } from './ports.js';
import { type InsightBody, readInsightBody } from './row-bodies.js';

/** What one insight adds to its lesson. */
export interface LessonPart {
  lesson: string;
  kind: InsightKind;
  agentType?: string;
  isByPerson: boolean;
  /** Of a consolidated insight. Others have one run, which counts once however often it was uploaded. */
  runs: number;
  /** Of the body of that one run; absent if the insight is consolidated or written by a person. */
  digest?: string;
  /** Votes whose rows are gone. */
  helped: number;
  harmed: number;
  firstSeen: number;
  lastSeen: number;
}

/** `undefined` if the row is not an insight, has no name, or is malformed. */
export function lessonPartOf({ type, name, body }: Pick<Row, 'type' | 'name' | 'body'>): LessonPart | undefined {
  if (type !== 'insight' || !isInsightName(name)) return undefined;
  const { insight, origin, tally } = JSON.parse(body) as Partial<InsightBody>;
  if (!insight?.kind || !origin) return undefined;
  const { agentType, acceptedAt, bodyDigest } = origin;
  const isByPerson = insight.rule === personRule;
  const isOneRun = !tally && !isByPerson;
  return {
    lesson: lessonIdOf(name),
    kind: insight.kind,
    ...(agentType !== undefined && { agentType }),
    isByPerson,
    runs: tally?.runs ?? 0,
    ...(isOneRun && { digest: shortDigest(bodyDigest) }),
    helped: tally?.votes?.helped ?? 0,
    harmed: tally?.votes?.harmed ?? 0,
    firstSeen: tally?.firstSeen ?? acceptedAt,
    lastSeen: tally?.lastSeen ?? acceptedAt,
  };
}

/** What people decided counts; otherwise only what they wrote themselves needs no review. */
export function stateOf(
  decided: DecidedState | undefined,
  isByPerson: boolean,
  { review }: Pick<CollectionSettings, 'review'>,
): LessonState {
  return decided ?? (review === 'required' && !isByPerson ? 'pending' : 'active');
}

/** The lessons as people see them, in their order. */
export function lessonsFrom({ lessons, verdicts, settings }: FoundLessons): Lesson[] {
  const byLesson = new Map(verdicts.map((verdict) => [verdict.lesson, verdict]));
  return lessons.map((found) => lessonFrom(found, byLesson.get(found.id), settings));
}

function lessonFrom(found: FoundLesson, verdict: LessonVerdict | undefined, settings: CollectionSettings): Lesson {
  const { insight, origin: from } = readInsightBody(found.body);
  const { kind, title, appliesWhen, content, steps, example, rule } = insight;
  const wording = verdict?.wording;
  const shown = wording?.example ?? example;
  return {
    id: found.id,
    kind,
    title: wording?.title ?? title,
    text: wording?.text ?? [content, ...steps].join('\n'),
    ...(appliesWhen !== undefined && { appliesWhen }),
    ...(shown !== undefined && { example: shown }),
    ...(from.agentType !== undefined && { agentType: from.agentType }),
    state: stateOf(verdict?.state, rule === personRule, settings),
    origin: rule === personRule ? 'person' : rule === 'model' ? 'model' : 'reflector',
    support: found.support,
    helped: found.helped,
    harmed: found.harmed,
    firstSeen: found.firstSeen,
    lastSeen: found.lastSeen,
  };
}
