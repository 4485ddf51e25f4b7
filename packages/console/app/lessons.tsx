import { useEffect, useState } from 'preact/hooks';
import { useQuery } from './address';
import { api, type LessonAnswer } from './api';
import { decide, decisionsFor, deleteLesson } from './decisions';
import { FirstUpload } from './first-upload';
import { useLoad } from './load';
import { useHidden } from './notices';
import { Badge, Choice, count, Empty, Pages, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

const states = [
  ['', 'any'],
  ['active', 'active'],
  ['pending', 'pending'],
  ['pinned', 'pinned'],
  ['approved', 'approved'],
  ['muted', 'muted'],
  ['rejected', 'rejected'],
] as const;
const kinds = [
  ['', 'any'],
  ['strategy', 'strategy'],
  ['pitfall', 'pitfall'],
  ['recovery', 'recovery'],
] as const;
const sorts = [
  ['', 'latest'],
  ['support', 'most runs'],
  ['harm', 'most harm'],
] as const;
const pageSize = 50;

export function Lessons({ collection }: ScreenContext) {
  const query = useQuery();
  const [q, kind, state, agent, sort, cursor] = ['q', 'kind', 'state', 'agent_type', 'sort', 'cursor'].map(query.get);
  const asked = { tenant_id: collection, q, kind, state, agent_type: agent, ...(q ? {} : { sort }), cursor };
  const lessons = useLoad(`lessons ${JSON.stringify(asked)}`, (signal) =>
    api.lessons({ ...asked, limit: pageSize }, signal),
  );
  const hidden = useHidden();
  const filter = (changes: Record<string, string>) => query.set({ cursor: '', ...changes });
  const isFiltered = Boolean(q || kind || state || agent || cursor);

  function changeOne(id: string, change: Partial<LessonAnswer>): void {
    lessons.change((page) => ({
      ...page,
      lessons: page.lessons.map((lesson) => (lesson.id === id ? { ...lesson, ...change } : lesson)),
    }));
  }

  return (
    <Screen
      title="Lessons"
      about="What agents are told: see what is behind it, and decide."
      actions={
        <To path="/lessons/new" class="button primary">
          Write a lesson
        </To>
      }
    >
      <div class="filters">
        <Search value={q ?? ''} onSearch={(text) => filter({ q: text, sort: '' })} />
        <Choice label="State" value={state ?? ''} options={states} onChange={(value) => filter({ state: value })} />
        <Choice label="Kind" value={kind ?? ''} options={kinds} onChange={(value) => filter({ kind: value })} />
        {q ? null : (
          <Choice label="Sort" value={sort ?? ''} options={sorts} onChange={(value) => filter({ sort: value })} />
        )}
        {agent && (
          <button type="button" onClick={() => filter({ agent_type: '' })}>
            Agent: {agent} ✕
          </button>
        )}
      </div>
      <Show from={lessons} what="lessons">
        {({ lessons: all, cursor: next }) => {
          const shown = all.filter(({ id }) => !hidden.has(id));
          return (
            <>
              {shown.length === 0 &&
                (isFiltered ? (
                  <NoMatch onClear={() => query.set({ q: '', kind: '', state: '', agent_type: '', cursor: '' })} />
                ) : (
                  <NoLessons collection={collection} />
                ))}
              <ul class="rows" onKeyDown={moveInList}>
                {shown.map((lesson) => (
                  <LessonRow
                    key={lesson.id}
                    lesson={lesson}
                    onAgent={(name) => filter({ agent_type: name })}
                    onDecide={(decision) =>
                      decide(collection, lesson, decision, (change) => changeOne(lesson.id, change))
                    }
                    onDelete={() =>
                      deleteLesson(collection, lesson, {
                        hide: () => hidden.add(lesson.id),
                        unhide: () => hidden.remove(lesson.id),
                      })
                    }
                  />
                ))}
              </ul>
              <Pages next={next} />
            </>
          );
        }}
      </Show>
    </Screen>
  );
}

interface LessonRowProps {
  lesson: LessonAnswer;
  onAgent(name: string): void;
  onDecide(decision: ReturnType<typeof decisionsFor>[number]): void;
  onDelete(): void;
}

function LessonRow({ lesson, onAgent, onDecide, onDelete }: LessonRowProps) {
  const {
    id,
    title,
    text,
    example,
    kind,
    state,
    origin,
    agent_type: agent,
    support,
    helped,
    harmed,
    last_seen,
  } = lesson;
  return (
    <li class={state === 'muted' || state === 'rejected' ? 'row silenced' : 'row'}>
      <div class="what">
        <To path={`/lessons/${id}`} class="title">
          {title}
        </To>
        <p class="text">{text}</p>
        {example && <code class="example">{example}</code>}
        <p class="tags">
          {state !== 'active' && <Badge kind={state} />}
          <Badge kind={kind} />
          {origin === 'person' && <Badge kind="person">from your team</Badge>}
          {agent && (
            <button type="button" class="tag" title="Only this kind of agent" onClick={() => onAgent(agent)}>
              {agent}
            </button>
          )}
        </p>
      </div>
      <Figures support={support} helped={helped} harmed={harmed} />
      <div class="when">
        <Time at={last_seen} />
      </div>
      <div class="buttons">
        {decisionsFor(state).map((decision) => (
          <button
            key={decision.name}
            type="button"
            aria-label={`${decision.name}: ${title}`}
            onClick={() => onDecide(decision)}
          >
            {decision.name}
          </button>
        ))}
        <button type="button" class="danger" aria-label={`Delete: ${title}`} onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  );
}

export function Figures({ support, helped, harmed }: Pick<LessonAnswer, 'support' | 'helped' | 'harmed'>) {
  return (
    <dl class="figures">
      <div>
        <dt>runs</dt>
        <dd>{count(support)}</dd>
      </div>
      <div class={helped > 0 ? 'good' : undefined}>
        <dt>helped</dt>
        <dd>{count(helped)}</dd>
      </div>
      <div class={harmed > 0 ? 'bad' : undefined}>
        <dt>harmed</dt>
        <dd>{count(harmed)}</dd>
      </div>
    </dl>
  );
}

/** Arrows, or j and k, go from title to title. */
function moveInList(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined) return;
  const titles = [...event.currentTarget.querySelectorAll<HTMLElement>('.title')];
  const row = (document.activeElement as HTMLElement | null)?.closest('.row');
  const at = titles.findIndex((title) => title.closest('.row') === row);
  titles[at + step]?.focus();
  event.preventDefault();
}

/** Searches when the typing stops, or at once on Enter. */
function Search({ value, onSearch }: { value: string; onSearch(text: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), 400);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <input
          type="search"
          data-search
          aria-label="Search as enhance_task does"
          placeholder="Search by a task or some words ( / )"
          maxLength={2000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function NoMatch({ onClear }: { onClear(): void }) {
  return (
    <Empty title="No lesson matches">
      <p>
        <button type="button" onClick={onClear}>
          Show all lessons
        </button>
      </p>
    </Empty>
  );
}

function NoLessons({ collection }: { collection: string }) {
  return (
    <Empty title="No lessons yet">
      <p>Lessons are learnt from runs. Upload one, or write the first lesson yourself. This is enough to start:</p>
      <FirstUpload collection={collection} />
    </Empty>
  );
}
