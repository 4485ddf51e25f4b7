import { useQuery } from './address';
import { api, type Run } from './api';
import { FirstUpload } from './first-upload';
import { useLoad } from './load';
import { Badge, Choice, Empty, Pages, plural, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

const statuses = [
  ['', 'any'],
  ['processing', 'processing'],
  ['completed', 'completed'],
  ['failed', 'failed'],
] as const;
const outcomes = [
  ['', 'any'],
  ['true', 'succeeded'],
  ['false', 'failed'],
] as const;
const pageSize = 50;

export function Runs({ collection }: ScreenContext) {
  const query = useQuery();
  const [status, success, cursor] = ['status', 'success', 'cursor'].map(query.get);
  const asked = { tenant_id: collection, status, success, cursor };
  const runs = useLoad(`runs ${JSON.stringify(asked)}`, (signal) => api.runs({ ...asked, limit: pageSize }, signal));
  const isFiltered = Boolean(status || success || cursor);

  return (
    <Screen title="Runs" about="What agents uploaded, newest first, and what came of it.">
      <div class="filters">
        <Choice
          label="Job"
          value={status ?? ''}
          options={statuses}
          onChange={(value) => query.set({ cursor: '', status: value })}
        />
        <Choice
          label="Outcome"
          value={success ?? ''}
          options={outcomes}
          onChange={(value) => query.set({ cursor: '', success: value })}
        />
        <button type="button" onClick={runs.reload}>
          Refresh
        </button>
      </div>
      <Show from={runs} what="the list of runs">
        {({ runs: shown, next_cursor: next }) => (
          <>
            {shown.length === 0 &&
              (isFiltered ? (
                <Empty title="No run matches">
                  <p>
                    <To path="/runs">Show all runs</To>
                  </p>
                </Empty>
              ) : (
                <Empty title="No runs yet">
                  <p>After a task, an agent uploads what it did. Paste this to upload a first run:</p>
                  <FirstUpload collection={collection} />
                </Empty>
              ))}
            <ul class="rows">
              {shown.map((run) => (
                <RunRow key={run.job_id} run={run} />
              ))}
            </ul>
            <Pages next={next} />
          </>
        )}
      </Show>
    </Screen>
  );
}

export function RunRow({ run }: { run: Run }) {
  const { job_id: id, query, status, success, agent_type: agent, lessons, accepted_at } = run;
  return (
    <li class="row run">
      <div class="what">
        <To path={`/runs/${id}`} class="title">
          {query || '(no task)'}
        </To>
        <p class="tags">
          {success !== null && <Badge kind={success ? 'success' : 'failure'}>{success ? 'succeeded' : 'failed'}</Badge>}
          {status !== 'completed' && <Badge kind={status === 'failed' ? 'error' : status}>{jobTexts[status]}</Badge>}
          {agent && <Badge kind="agent">{agent}</Badge>}
        </p>
      </div>
      <div class={lessons === 0 ? 'quiet' : undefined}>{status === 'completed' && plural(lessons, 'lesson')}</div>
      <div class="when">
        <Time at={accepted_at} />
      </div>
    </li>
  );
}

export const jobTexts = { processing: 'in the queue', completed: 'processed', failed: 'processing failed' };
