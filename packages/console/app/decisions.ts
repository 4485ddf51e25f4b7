import { api, type LessonAnswer, type LessonState } from './api';
import { complain, offerUndo, sendUnlessUndone } from './notices';

type Decided = Exclude<LessonState, 'pending'>;

export interface Decision {
  state: Decided;
  /** What the button says. */
  name: string;
  /** What was done. */
  done: string;
}

const pin: Decision = { state: 'pinned', name: 'Pin', done: 'Pinned' };
const mute: Decision = { state: 'muted', name: 'Mute', done: 'Muted' };
const approve: Decision = { state: 'approved', name: 'Approve', done: 'Approved' };
const reject: Decision = { state: 'rejected', name: 'Reject', done: 'Rejected' };

/** What can be decided about a lesson in its state. */
export function decisionsFor(state: LessonState): Decision[] {
  const back = (name: string, done: string): Decision => ({ state: 'active', name, done });
  if (state === 'pending') return [approve, reject, pin];
  if (state === 'pinned') return [back('Unpin', 'Unpinned'), mute];
  if (state === 'muted') return [back('Unmute', 'Unmuted'), pin];
  if (state === 'approved') return [pin, mute, back('Unapprove', 'Not approved any more')];
  if (state === 'rejected') return [approve, back('Unreject', 'Not rejected any more')];
  return [pin, mute];
}

/** Changes the state at once and tells the server; the undo tells it the state before. */
export function decide(
  collection: string,
  lesson: LessonAnswer,
  { state, done }: Decision,
  show: (change: Partial<LessonAnswer>) => void,
): void {
  const before = lesson.state;
  // Nobody decides that a lesson waits: without a decision, it does.
  const undone: Decided = before === 'pending' ? 'active' : before;
  const send = (next: Decided, shown: LessonState) => {
    show({ state: shown });
    return api.changeLesson(collection, lesson.id, { state: next }).then(show, (error: unknown) => {
      show({ state: before });
      complain(error);
    });
  };
  const sent = send(state, state);
  // In order, so that the later decision counts.
  offerUndo({ text: `${done}: ${lesson.title}`, undo: () => void sent.then(() => send(undone, before)) });
}

interface Hiding {
  hide(): void;
  unhide(): void;
}

export function deleteLesson(
  collection: string,
  lesson: Pick<LessonAnswer, 'id' | 'title'>,
  { hide, unhide }: Hiding,
): void {
  hide();
  sendUnlessUndone({
    text: `Deleted: ${lesson.title}`,
    undo: unhide,
    send() {
      api.deleteLesson(collection, lesson.id).catch((error: unknown) => {
        unhide();
        complain(error);
      });
    },
  });
}
