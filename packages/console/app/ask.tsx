import { useEffect, useState } from 'preact/hooks';
import { useQuery } from './address';
import { api, type Candidate, type EnhancedResponse } from './api';
import { useLoad } from './load';
import { complain, say } from './notices';
import { Badge, Empty, Meter, percent, plural, Screen, Show, To } from './parts';
import type { ScreenContext } from './screen-context';

/** Longer ones would not fit into an address. */
const longestShared = 1500;

export function Ask({ collection, may }: ScreenContext) {
  const query = useQuery();
  const [task, agent] = [query.get('task'), query.get('agent_type')];
  const [text, setText] = useState(task);
  const [round, setRound] = useState(0);
  useEffect(() => setText(task), [task]);
  const asked = { tenant_id: collection, input_text: task, ...(agent && { agent_type: agent }) };
  const explain = may('curate');
  const answer = useLoad(task === '' ? undefined : `ask ${round} ${JSON.stringify(asked)}`, () =>
    api.ask(asked, explain),
  );

  function ask(event: SubmitEvent & { currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const agentType = String(new FormData(event.currentTarget).get('agent_type')).trim();
    if (text.trim() === '') return;
    setRound(round + 1);
    query.set({ task: text, agent_type: agentType }, text.length > longestShared);
  }

  return (
    <Screen title="Ask" about="Paste a task: the answer as the agent gets it, and why each lesson was told or not.">
      <form class="card form ask" onSubmit={ask}>
        <label class="field">
          <span>Task</span>
          <textarea
            name="task"
            data-search
            rows={3}
            required
            value={text}
            placeholder="Which customers placed no orders in 2025?"
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <div class="line">
          <label class="field">
            <span>Kind of agent (optional)</span>
            <input name="agent_type" key={agent} defaultValue={agent} />
          </label>
          <button type="submit" class="primary">
            Ask <kbd>Ctrl Enter</kbd>
          </button>
        </div>
      </form>
      {task === '' ? (
        <p class="quiet">Nothing is stored when you ask here.</p>
      ) : (
        <Show from={answer} what="answers">
          {(data) => <Answer answer={data} task={task} collection={collection} mayCurate={explain} />}
        </Show>
      )}
    </Screen>
  );
}

interface AnswerProps {
  answer: EnhancedResponse;
  task: string;
  collection: string;
  mayCurate: boolean;
}

function Answer({ answer, task, collection, mayCurate }: AnswerProps) {
  const { response, metadata } = answer;
  const { recommendations, explanation = [], confidence_score: confidence, holdout } = metadata;
  const added = response.startsWith(task) ? response.slice(task.length) : undefined;
  return (
    <>
      <section class="card told">
        <h2>
          The agent gets{' '}
          <span class="quiet">
            {recommendations.length === 0
              ? 'its task, unchanged'
              : `${plural(recommendations.length, 'recommendation')}, confidence ${percent(confidence)}`}
          </span>
        </h2>
        {holdout && (
          <p class="note">This answer was held out at random, to measure what recommendations are worth. Ask again.</p>
        )}
        <pre class="words response">
          {added === undefined ? (
            response
          ) : (
            <>
              <span class="quiet">{task}</span>
              {added}
            </>
          )}
        </pre>
        {recommendations.length > 0 && <Feedback collection={collection} id={metadata.enhancement_id} />}
      </section>
      {mayCurate && (
        <section>
          <h2>
            Considered <span class="quiet">{plural(explanation.length, 'lesson')}, nearest first</span>
          </h2>
          {explanation.length === 0 ? (
            <Empty title="No similar task found">
              <p>
                No lesson of this collection is close to this task.{' '}
                <To path="/lessons/new" query={{ task }}>
                  Write one
                </To>
                , or upload runs at such tasks.
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {explanation.map((candidate) => (
                <CandidateRow key={candidate.id + candidate.task} candidate={candidate} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}

function CandidateRow({ candidate }: { candidate: Candidate }) {
  const { id, title, task, similarity, support, told, because, kind } = candidate;
  return (
    <li class={told ? 'row candidate' : 'row candidate silenced'}>
      <div class="what">
        <To path={`/lessons/${id}`} class="title">
          {title}
        </To>
        <p class="text">Learnt from: {task}</p>
        <p class="because">{because}</p>
      </div>
      <p class="tags">
        <Badge kind={told ? 'told' : 'untold'}>{told ? 'told' : 'not told'}</Badge>
        <Badge kind={kind} />
      </p>
      <div class="when">
        <Meter value={similarity} label={`Similarity of ${title}`} />
        <span class="quiet">{plural(support, 'run')}</span>
      </div>
    </li>
  );
}

function Feedback({ collection, id }: { collection: string; id: string }) {
  const [isGiven, setGiven] = useState(false);

  async function tell(success: boolean): Promise<void> {
    setGiven(true);
    try {
      const { counted } = await api.giveFeedback({ tenant_id: collection, enhancement_id: id, success });
      say(counted ? 'Counted for the lessons of this answer.' : 'Not counted: this answer already has an outcome.');
    } catch (error) {
      setGiven(false);
      complain(error);
    }
  }

  return (
    <p class="feedback">
      If you gave this to an agent, how did it go?{' '}
      <button type="button" disabled={isGiven} onClick={() => void tell(true)}>
        It succeeded
      </button>{' '}
      <button type="button" disabled={isGiven} onClick={() => void tell(false)}>
        It failed
      </button>
    </p>
  );
}
