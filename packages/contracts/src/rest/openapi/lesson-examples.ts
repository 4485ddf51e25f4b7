import type { CollectionChange, CollectionSettingsAnswer } from '../collection-settings.js';
import type {
  Feedback,
  FeedbackResult,
  LessonAnswer,
  LessonChange,
  LessonDetails,
  LessonList,
  NewLesson,
} from '../lessons.js';
import type { EraseResult } from '../responses.js';
import { exampleJobId, exampleKeyId } from './examples.js';

const learnt: LessonAnswer = {
  id: 'q7Vx2LmZ0aTfK9_c',
  kind: 'strategy',
  title: 'What worked: find',
  text: 'It took find.',
  applies_when: 'deleting files chosen by size or age',
  example: "find /var -name '*.log' -size +10M -delete",
  agent_type: 'shell',
  state: 'active',
  origin: 'reflector',
  support: 3,
  helped: 5,
  harmed: 1,
  first_seen: '2026-03-05T18:15:37.903173',
  last_seen: '2026-03-09T08:02:11.000482',
};

const details: LessonDetails = {
  ...learnt,
  state: 'pinned',
  evidence: [
    {
      job_id: exampleJobId,
      task: 'Find all .log files larger than 10 MB under /var and delete them',
      accepted_at: learnt.last_seen,
      outcome: 'success',
      judged: false,
      runs: 3,
      steps: [
        { turn: 1, action: 'ls /var/*.log | xargs rm', outcome: 'error', note: 'No such file or directory' },
        { turn: 2, action: "find /var -name '*.log' -size +10M -delete", outcome: 'ok' },
      ],
    },
  ],
  against: [],
  decisions: [
    { state: 'pinned', note: 'the way we do it', key_id: exampleKeyId, decided_at: '2026-03-09T09:30:00.000000' },
  ],
  votes: [
    { date: '2026-03-09', helped: 2, harmed: 1 },
    { date: '2026-03-06', helped: 3, harmed: 0 },
  ],
  notes: [{ given_at: '2026-03-09T10:12:40.000000', success: false, note: 'the disk was full, find was right' }],
};

const written: LessonAnswer = {
  id: 'Hn5cY2uDp7LsXo4w',
  kind: 'strategy',
  title: 'Ask before deleting logs of the audit service',
  text: 'Logs of the audit service are never deleted: move them to /srv/archive.',
  applies_when: 'Delete old logs',
  state: 'active',
  origin: 'person',
  support: 0,
  helped: 0,
  harmed: 0,
  first_seen: '2026-03-09T09:30:00.000000',
  last_seen: '2026-03-09T09:30:00.000000',
};

const page: LessonList = { lessons: [learnt], cursor: 'WyIyMDI2Il0' };
const mute: LessonChange = { state: 'muted', note: 'we no longer use ls' };
const edit: LessonChange = { text: 'Let find do the selecting and the deleting in one pass.', example: null };
const newLesson: NewLesson = {
  tenant_id: 'ops-bot',
  applies_when: 'Delete old logs',
  text: written.text,
  title: written.title,
};
const deleted: EraseResult = { deleted_count: 3, status: 'Successfully deleted the lesson' };
const feedback: Feedback = {
  tenant_id: 'ops-bot',
  enhancement_id: 'enh_AbCdEfGhIjKlMnOpQrStUvWx',
  success: true,
  note: 'the second command was enough',
};
const counted: FeedbackResult = { counted: true, status: 'The outcome counts for what was shown' };
const change: CollectionChange = { review: 'required' };
const settings: CollectionSettingsAnswer = { review: 'required', holdout_share: 0.1, retention_days: 180 };

export const exampleLessonId = learnt.id;
export const exampleTask = 'Delete old logs';

export const lessonExamples = {
  lesson: { learnt },
  written: { written },
  details: { details },
  page: { page },
  change: { mute, edit },
  newLesson: { lesson: newLesson },
  deleted: { deleted },
  feedback: { feedback },
  feedbackResult: { counted },
  collectionChange: { review: change, share: { holdout_share: 0.1, retention_days: 180 } satisfies CollectionChange },
  collectionSettings: { settings },
};
