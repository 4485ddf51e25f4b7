import type { ComponentChildren } from 'preact';
import { nameOf } from './address';
import { api, type Collection, collectionName, type Run, type Uplift } from './api';
import { FirstUpload } from './first-upload';
import { UsageChart } from './keys';
import { useLoad } from './load';
import { Badge, count, Empty, percent, plural, points, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

const mostCounted = 200;

export function Overview(screen: ScreenContext) {
  const { may, collection } = screen;
  return (
    <Screen
      title="Overview"
      about={
        may('curate') ? `Is it working, and is it worth it? These figures are of ${nameOf(collection)}.` : undefined
      }
    >
      {may('curate') && <OfCollection {...screen} />}
      {may('admin') && <OfAccount />}
      {!may('curate') && !may('admin') && (
        <p class="note">
          The key that you signed in with may {screen.session.scopes.join(' and ')}. Lessons and runs need a key with
          the scope curate.
        </p>
      )}
    </Screen>
  );
}

function OfCollection({ collection, collections }: ScreenContext) {
  const ask = (name: string) => `overview ${name} ${collection}`;
  const tenant_id = collection;
  const recent = useLoad(ask('runs'), (signal) => api.runs({ tenant_id, limit: mostCounted }, signal));
  const waiting = useLoad(ask('waiting'), (signal) =>
    api.runs({ tenant_id, status: 'processing', limit: mostCounted }, signal),
  );
  const failed = useLoad(ask('failed'), (signal) =>
    api.runs({ tenant_id, status: 'failed', limit: mostCounted }, signal),
  );
  const pending = useLoad(ask('pending'), (signal) =>
    api.lessons({ tenant_id, state: 'pending', limit: mostCounted }, signal),
  );
  const harmful = useLoad(ask('harm'), (signal) => api.lessons({ tenant_id, sort: 'harm', limit: 5 }, signal));
  const uplift = useLoad(ask('uplift'), (signal) => api.uplift(tenant_id, signal));
  const known = collections.data?.collections.find((one) => collectionName(one) === collection);
  const harming = harmful.data?.lessons.filter(({ harmed }) => harmed > 0) ?? [];
  const isEmpty = harmful.data?.lessons.length === 0 && !recent.isLoading && !recent.data?.runs.length;

  if (isEmpty) {
    return (
      <Empty title="Nothing here yet">
        <p>
          Agents upload what they did; Whetstone learns lessons from it and tells them before the next task. Set{' '}
          <code>WHETSTONE_KEY</code> to a key that may record, and paste this:
        </p>
        <FirstUpload collection={collection} />
        <p>
          A second later its lesson is under <To path="/lessons">Lessons</To>, and <To path="/ask">Ask</To> shows when
          it is told.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <dl class="tiles">
        {known && <Figures known={known} />}
        <Pile name="Waiting for approval" of={pending.data?.lessons} path="/lessons" query={{ state: 'pending' }} warns>
          review
        </Pile>
        {!waiting.error && (
          <Pile name="Jobs in progress" of={waiting.data?.runs} path="/runs" query={{ status: 'processing' }}>
            show
          </Pile>
        )}
        {!failed.error && (
          <Pile name="Jobs that failed" of={failed.data?.runs} path="/runs" query={{ status: 'failed' }} warns>
            show
          </Pile>
        )}
      </dl>
      <div class="columns">
        <section class="card">
          <h2>Is it worth it?</h2>
          <Show from={uplift} what="uplift figures">
            {(data) => <UpliftFigures uplift={data} />}
          </Show>
        </section>
        <section class="card">
          <h2>
            The latest runs <span class="quiet">newest first</span>
          </h2>
          <Show from={recent} what="the list of runs">
            {({ runs }) => <Strip runs={runs} />}
          </Show>
        </section>
      </div>
      {harming.length > 0 && (
        <section>
          <h2>
            Told to runs that failed <span class="quiet">look at these first</span>
          </h2>
          <ul class="rows">
            {harming.map(({ id, title, helped, harmed, state }) => (
              <li key={id} class="row run">
                <div class="what">
                  <To path={`/lessons/${id}`} class="title">
                    {title}
                  </To>
                </div>
                <div>
                  helped {count(helped)}, <strong class="bad">harmed {count(harmed)}</strong>
                </div>
                <div class="when">{state !== 'active' && <Badge kind={state} />}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Figures({ known }: { known: Collection }) {
  return (
    <>
      <Tile name="Insights" is={count(known.insights)}>
        {known.review === 'required' ? 'review required' : null}
      </Tile>
      <Tile name="Runs" is={count(known.runs)}>
        last <Time at={known.last_upload_at} />
      </Tile>
    </>
  );
}

interface TileProps {
  name: string;
  is: string | undefined;
  warns?: boolean;
  children?: ComponentChildren;
}

function Tile({ name, is, warns, children }: TileProps) {
  return (
    <div class={warns ? 'tile warns' : 'tile'}>
      <dt>{name}</dt>
      <dd>
        <strong>{is ?? '…'}</strong> <span class="quiet">{children}</span>
      </dd>
    </div>
  );
}

interface PileProps {
  name: string;
  of: readonly unknown[] | undefined;
  path: string;
  query: Record<string, string>;
  /** As soon as there is one. */
  warns?: boolean;
  children: ComponentChildren;
}

/** How many there are, and where they are listed. */
function Pile({ name, of, path, query, warns = false, children }: PileProps) {
  return (
    <Tile name={name} is={of && amount(of.length)} warns={warns && (of?.length ?? 0) > 0}>
      <To path={path} query={query}>
        {children}
      </To>
    </Tile>
  );
}

function amount(found: number): string {
  return found < mostCounted ? count(found) : `${count(found)} or more`;
}

function UpliftFigures({ uplift }: { uplift: Uplift }) {
  const { difference, interval } = uplift;
  const share = ({ runs, successes, rate }: Uplift['with']) =>
    rate === null ? 'no runs yet' : `${percent(rate)} of ${plural(runs, 'run')} (${count(successes)})`;
  return (
    <>
      <p class="big">
        {difference === null ? '–' : `${points(difference)} points`}
        {interval && (
          <span class="quiet">
            {' '}
            between {points(interval[0])} and {points(interval[1])}, with 95 % confidence
          </span>
        )}
      </p>
      {interval && difference !== null && <Interval difference={difference} interval={interval} />}
      <dl class="pairs">
        <dt>Succeeded with recommendations</dt>
        <dd>{share(uplift.with)}</dd>
        <dt>Succeeded without</dt>
        <dd>{share(uplift.without)}</dd>
      </dl>
      {difference === null && (
        <p class="quiet">
          To compare, hold out a share of answers (<To path="/forget">Settings</To>) and cite{' '}
          <code>enhancement_id</code> in uploads that say <code>success</code>.
        </p>
      )}
    </>
  );
}

/** The interval on a line from −100 to +100 points. */
function Interval({ difference, interval: [low, high] }: { difference: number; interval: [number, number] }) {
  const at = (value: number) => 150 + Math.max(-1, Math.min(1, value)) * 145;
  return (
    <svg
      class="interval"
      viewBox="0 0 300 24"
      role="img"
      aria-label={`Difference ${points(difference)} points, from ${points(low)} to ${points(high)}`}
    >
      <line class="scale" x1="5" x2="295" y1="12" y2="12" />
      <line class="scale" x1="150" x2="150" y1="3" y2="21" />
      <line
        class={low > 0 ? 'range good' : high < 0 ? 'range bad' : 'range'}
        x1={at(low)}
        x2={at(high)}
        y1="12"
        y2="12"
      />
      <circle cx={at(difference)} cy="12" r="4" />
    </svg>
  );
}

function Strip({ runs }: { runs: readonly Run[] }) {
  const [good, bad] = [true, false].map((success) => runs.filter((run) => run.success === success).length);
  const label = `Of ${plural(runs.length, 'run')}, ${good} succeeded, ${bad} failed`;
  return (
    <>
      <p>
        {label}
        {runs.length > (good ?? 0) + (bad ?? 0) && `, ${runs.length - (good ?? 0) - (bad ?? 0)} did not say`}.
      </p>
      <div class="strip" role="img" aria-label={label}>
        {runs.map((run) => (
          <span
            key={run.job_id}
            class={run.success === null ? 'unknown' : run.success ? 'good' : 'bad'}
            title={run.query}
          />
        ))}
      </div>
      <p>
        <To path="/runs">All runs</To>
      </p>
    </>
  );
}

function OfAccount() {
  const usage = useLoad('usage 30', (signal) => api.usage(30, signal));
  return (
    <section class="card">
      <h2>
        The account in the last 30 days <span class="quiet">all collections</span>
      </h2>
      <Show from={usage} what="usage figures">
        {({ days }) => <UsageChart days={days} />}
      </Show>
    </section>
  );
}
