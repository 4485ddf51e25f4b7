import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { queryText } from './address';
import { api, type LessonChange, type LessonDetails } from './api';
import { decide, decisionsFor, deleteLesson } from './decisions';
import { Figures } from './lessons';
import { useLoad } from './load';
import { complain, say, useHidden } from './notices';
import { Badge, plural, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

export function LessonScreen({ id, collection }: ScreenContext & { id: string }) {
  const lesson = useLoad(`lesson ${collection} ${id}`, (signal) => api.lesson(collection, id, signal));
  if (lesson.error?.status === 404) {
    return (
      <Screen title="No such lesson">
        <p class="note">
          It was deleted, or belongs to another collection. <To path="/lessons">All lessons</To>
        </p>
      </Screen>
    );
  }
  return (
    <Show from={lesson} what="lessons">
      {(data) => (
        <Details
          lesson={data}
          collection={collection}
          onChange={(change) => lesson.change((before) => ({ ...before, ...change }))}
          onDecided={lesson.reload}
        />
      )}
    </Show>
  );
}

interface DetailsProps {
  lesson: LessonDetails;
  collection: string;
  onChange(change: Partial<LessonDetails>): void;
  onDecided(): void;
}

function Details({ lesson, collection, onChange, onDecided }: DetailsProps) {
  const [isEditing, setEditing] = useState(false);
  const [, navigate] = useLocation();
  const hidden = useHidden();
  const { id, title, text, applies_when: appliesWhen, example, kind, state, origin, agent_type: agent } = lesson;

  return (
    <Screen
      title={title}
      about={
        <>
          <To path="/lessons">Lessons</To> / <code>{id}</code>
        </>
      }
      actions={
        <>
          {decisionsFor(state).map((decision) => (
            <button key={decision.name} type="button" onClick={() => decide(collection, lesson, decision, onChange)}>
              {decision.name}
            </button>
          ))}
          <button type="button" onClick={() => setEditing(!isEditing)} aria-expanded={isEditing}>
            Edit
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              deleteLesson(collection, lesson, { hide: () => hidden.add(id), unhide: () => hidden.remove(id) });
              navigate(`/lessons${queryText({ c: collection })}`);
            }}
          >
            Delete
          </button>
        </>
      }
    >
      <p class="tags">
        <Badge kind={state} />
        <Badge kind={kind} />
        <Badge kind={origin}>{origins[origin]}</Badge>
        {agent && <Badge kind="agent">{agent}</Badge>}
      </p>
      {isEditing ? (
        <EditForm
          lesson={lesson}
          onCancel={() => setEditing(false)}
          onSave={async (change) => {
            onChange(await api.changeLesson(collection, id, change));
            setEditing(false);
            say('Saved. It is told in these words from now on.');
            onDecided();
          }}
        />
      ) : (
        <section class="card told">
          <h2>What agents see</h2>
          <p class="words">{text}</p>
          {example && <pre class="words">{example}</pre>}
          {appliesWhen && (
            <p class="quiet">
              At tasks such as: <span class="words">{appliesWhen}</span>
            </p>
          )}
        </section>
      )}
      <Figures {...lesson} />
      <p class="quiet">
        First learnt <Time at={lesson.first_seen} />, last <Time at={lesson.last_seen} />. Helped and harmed: runs that
        were told it, and succeeded or failed.
      </p>
      <Evidence
        title="Runs that taught it"
        runs={lesson.evidence}
        none="No run taught it: a person wrote it, or its runs are gone."
      />
      <Evidence title="Runs at the same tasks that ended otherwise" runs={lesson.against} none="None." />
      <section>
        <h2>Outcomes</h2>
        {lesson.votes.length === 0 && <p class="quiet">No outcomes reported yet.</p>}
        <ol class="timeline">
          {lesson.votes.slice(0, shownDays).map(({ date, helped, harmed }) => (
            <li key={date}>
              <time dateTime={date}>{date}</time>: helped {helped}, harmed {harmed}
            </li>
          ))}
        </ol>
        {lesson.notes.map(({ given_at: at, success, note }) => (
          <p key={at + note} class="words">
            <Time at={at} /> <Badge kind={success ? 'success' : 'failure'}>{success ? 'succeeded' : 'failed'}</Badge> “
            {note}”
          </p>
        ))}
      </section>
      <section>
        <h2>Decisions</h2>
        {lesson.decisions.length === 0 && <p class="quiet">No decisions yet.</p>}
        <ol class="timeline">
          {lesson.decisions.map((decision) => (
            <li key={decision.decided_at + decision.key_id}>
              <Time at={decision.decided_at} /> <code>{decision.key_id}</code>{' '}
              {decision.state && <Badge kind={decision.state} />}
              {(decision.title ?? decision.text ?? decision.example) !== undefined && ' reworded it'}
              {decision.note && <p class="words">“{decision.note}”</p>}
            </li>
          ))}
        </ol>
      </section>
    </Screen>
  );
}

const shownDays = 14;
const origins = { reflector: 'learnt', model: 'learnt by a model', person: 'from your team' };

interface EvidenceProps {
  title: string;
  runs: LessonDetails['evidence'];
  none: string;
}

function Evidence({ title, runs, none }: EvidenceProps) {
  return (
    <section>
      <h2>{title}</h2>
      {runs.length === 0 && <p class="quiet">{none}</p>}
      {runs.map((run, at) => (
        // Several can be of one job.
        <details key={at} class="evidence" open={at === 0}>
          <summary>
            <Badge kind={run.outcome} />
            {run.judged && <span class="quiet">inferred</span>}
            <span class="words">{run.task}</span>
            <span class="quiet">
              <Time at={run.accepted_at} />
              {run.runs > 1 && ` · stands for ${plural(run.runs, 'run')}`}
            </span>
          </summary>
          <Trail steps={run.steps} />
          <p>
            <To path={`/runs/${run.job_id}`}>The run</To>
          </p>
        </details>
      ))}
    </section>
  );
}

export function Trail({ steps }: { steps: readonly { action: string; outcome: string; note?: string }[] }) {
  return (
    <ol class="trail">
      {steps.map((step, at) => (
        <li key={at}>
          <Badge kind={step.outcome === 'failed' ? 'error' : step.outcome} />
          <pre class="words">{step.action}</pre>
          {step.note && <p class="quiet words">{step.note}</p>}
        </li>
      ))}
    </ol>
  );
}

interface EditFormProps {
  lesson: LessonDetails;
  onCancel(): void;
  onSave(change: LessonChange): Promise<void>;
}

/** An empty field brings the learnt wording back. */
function EditForm({ lesson, onCancel, onSave }: EditFormProps) {
  const [isBusy, setBusy] = useState(false);

  async function save(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const change: LessonChange = {};
    for (const name of ['title', 'text', 'example'] as const) {
      const value = String(given.get(name)).trim();
      if (value !== (lesson[name] ?? '').trim()) change[name] = value || null;
    }
    const note = String(given.get('note')).trim();
    if (note) change.note = note;
    if (Object.keys(change).length === 0) return onCancel();
    setBusy(true);
    await onSave(change).catch((error: unknown) => {
      setBusy(false);
      complain(error);
    });
  }

  return (
    <form
      class="card form"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label class="field">
        <span>Title</span>
        <input name="title" defaultValue={lesson.title} maxLength={200} autofocus />
      </label>
      <label class="field">
        <span>Text</span>
        <textarea name="text" rows={3} defaultValue={lesson.text} maxLength={2000} />
      </label>
      <label class="field">
        <span>Example</span>
        <textarea name="example" class="code" rows={4} defaultValue={lesson.example ?? ''} maxLength={4000} />
      </label>
      <label class="field">
        <span>Why (for the record)</span>
        <input name="note" maxLength={500} />
      </label>
      <p class="quiet">A field that you empty goes back to what was learnt.</p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
