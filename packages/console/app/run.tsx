import { api, type RunDetails } from './api';
import { Trail } from './lesson';
import { useLoad } from './load';
import { Badge, dateOf, Screen, Show, To } from './parts';
import { jobTexts } from './runs';
import type { ScreenContext } from './screen-context';

export function RunScreen({ id, collection }: ScreenContext & { id: string }) {
  const run = useLoad(`run ${collection} ${id}`, (signal) => api.run(collection, id, signal));
  if (run.error?.status === 404) {
    return (
      <Screen title="No such run">
        <p class="note">
          Its record is gone, it belongs to another collection, or this server does not show runs.{' '}
          <To path="/runs">All runs</To>
        </p>
      </Screen>
    );
  }
  return (
    <Show from={run} what="runs">
      {(data) => <Details run={data} onReload={run.reload} />}
    </Show>
  );
}

function Details({ run, onReload }: { run: RunDetails; onReload(): void }) {
  const { job_id: id, query, status, success, agent_type: agent, timeline, trail, lessons, reason } = run;
  return (
    <Screen
      title={query || '(no task)'}
      about={
        <>
          <To path="/runs">Runs</To> / <code>{id}</code>
        </>
      }
      actions={
        status === 'processing' && (
          <button type="button" onClick={onReload}>
            Refresh
          </button>
        )
      }
    >
      <p class="tags">
        {success !== null && <Badge kind={success ? 'success' : 'failure'}>{success ? 'succeeded' : 'failed'}</Badge>}
        <Badge kind={status === 'failed' ? 'error' : status}>{jobTexts[status]}</Badge>
        {agent && <Badge kind="agent">{agent}</Badge>}
      </p>
      <section>
        <h2>Result</h2>
        {reason && <p class="words">{reason}</p>}
        {!reason && lessons.length === 0 && (
          <p class="quiet">{status === 'processing' ? 'Not finished yet.' : 'None of its lessons remain.'}</p>
        )}
        <ul class="plain">
          {lessons.map((lesson) => (
            <li key={lesson.id}>
              <To path={`/lessons/${lesson.id}`}>{lesson.title}</To>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Timeline</h2>
        <ol class="timeline">
          {timeline.map(({ event, at }, index) => (
            <li key={event + at} class={event === 'failed' ? 'bad' : undefined}>
              <strong>{event}</strong>{' '}
              <time dateTime={dateOf(at).toISOString()}>{dateOf(at).toLocaleString('en-GB')}</time>{' '}
              <span class="quiet">{index > 0 && after(timeline[index - 1]?.at ?? at, at)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>What the agent did</h2>
        {trail.length === 0 && <p class="quiet">No details were kept.</p>}
        <Trail steps={trail} />
      </section>
    </Screen>
  );
}

function after(before: string, at: string): string {
  const ms = dateOf(at).getTime() - dateOf(before).getTime();
  return ms < 1000 ? `after ${ms} ms` : `after ${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
