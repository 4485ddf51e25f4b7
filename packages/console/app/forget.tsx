import { useEffect, useState } from 'preact/hooks';
import { nameOf, useQuery } from './address';
import { api, type Collection, collectionName } from './api';
import { useLoad } from './load';
import { complain, say, sendUnlessUndone } from './notices';
import { Badge, count, Meter, plural, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

export function Forget(screen: ScreenContext) {
  return (
    <Screen
      title="Forget"
      about={`Delete what was learnt at a kind of task from ${nameOf(screen.collection)}, or erase a whole collection.`}
    >
      <ByIntent {...screen} />
      <Collections {...screen} />
    </Screen>
  );
}

function ByIntent({ collection, collections }: ScreenContext) {
  const query = useQuery();
  const intent = query.get('intent');
  const [text, setText] = useState(intent);
  const [threshold, setThreshold] = useState(Number(query.get('threshold') || 0.5));
  useEffect(() => setText(intent), [intent]);
  const asked = useSettled(JSON.stringify({ tenant_id: collection, intent, similarity_threshold: threshold }), 150);
  const preview = useLoad(intent === '' ? undefined : `forget ${asked}`, (signal) =>
    api.forget({ ...JSON.parse(asked), dry_run: true }, signal),
  );

  function forget(expected: number): void {
    const deletion = { tenant_id: collection, intent, similarity_threshold: threshold, dry_run: false };
    query.set({ intent: '', threshold: '' });
    sendUnlessUndone({
      text: `Forgetting ${plural(expected, 'insight')} near “${intent}”`,
      undo: () => query.set({ intent, threshold }),
      send() {
        api.forget(deletion).then(({ deleted_count: deleted }) => {
          say(`Forgot ${plural(deleted, 'insight')}`);
          collections.reload();
        }, complain);
      },
    });
  }

  return (
    <section>
      <h2>A kind of task</h2>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') query.set({ intent: text.trim(), threshold });
        }}
      >
        <div class="line">
          <label class="field grow">
            <span>What should be forgotten? Describe the task in any words.</span>
            <input
              data-search
              value={text}
              required
              placeholder="orders per customer"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Look</button>
        </div>
        {intent !== '' && (
          <>
            <label class="field">
              <span>
                How similar at least? <strong class="number">{threshold.toFixed(2)}</strong>
              </span>
              <input
                type="range"
                min={0}
                max={1}
                step={0.01}
                value={threshold}
                onInput={(event) => setThreshold(Number(event.currentTarget.value))}
                onChange={() => query.set({ threshold }, true)}
              />
              <span class="ends" aria-hidden="true">
                <span>0 nearly everything</span>
                <span>0.5 the neighbourhood</span>
                <span>1 the same words</span>
              </span>
            </label>
            <Show from={preview} what="deletion by intent">
              {({ deleted_count: found, remaining_count: left = 0, matches = [] }) => (
                <>
                  <p aria-live="polite">
                    <strong>{plural(found, 'insight')}</strong> would be forgotten, {count(left)} would stay.
                  </p>
                  {matches.length > 0 && <h3>Least similar matches: delete these too?</h3>}
                  <ul class="rows">
                    {matches.map((match) => (
                      <li key={match.id} class="row match">
                        <span class="words">{match.intent}</span>
                        <Meter value={match.similarity} label={`Similarity of ${match.intent}`} />
                      </li>
                    ))}
                  </ul>
                  <div class="buttons">
                    <button
                      type="button"
                      class="danger"
                      disabled={found === 0 || preview.isLoading}
                      onClick={() => forget(found)}
                    >
                      Forget {plural(found, 'insight')}
                    </button>
                    <button type="button" onClick={() => query.set({ intent: '', threshold: '' })}>
                      Cancel
                    </button>
                  </div>
                </>
              )}
            </Show>
          </>
        )}
      </form>
      {intent === '' && (
        <p class="quiet">
          Nothing is deleted before you have seen what it would be. Single lessons are deleted on their page.
        </p>
      )}
    </section>
  );
}

/** The value once it has not changed for a while. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

function Collections({ collection, collections }: ScreenContext) {
  const { error, data } = collections;
  return (
    <section>
      <h2>Collections</h2>
      {error?.isMissing ? (
        <>
          <p class="note">This server does not list collections. These settings are for {nameOf(collection)}.</p>
          <ul class="rows">
            <CollectionRow key={collection} name={collection} onChanged={collections.reload} />
          </ul>
        </>
      ) : (
        <Show from={collections} what="the list of collections">
          {({ collections: all }) => (
            <>
              <ul class="rows">
                {all.every((one) => collectionName(one) !== collection) && (
                  <CollectionRow key={collection} name={collection} onChanged={collections.reload} />
                )}
                {all.map((one) => {
                  const name = collectionName(one);
                  return name === undefined ? null : (
                    <CollectionRow key={name} name={name} known={one} onChanged={collections.reload} />
                  );
                })}
              </ul>
              {unnamed(all) > 0 && (
                <p class="quiet">{plural(unnamed(all), 'collection')} without a name until something is uploaded.</p>
              )}
              {data && 'next_cursor' in data && data.next_cursor ? (
                <p class="quiet">Only the first {count(all.length)} are listed.</p>
              ) : null}
            </>
          )}
        </Show>
      )}
    </section>
  );
}

function unnamed(all: readonly Collection[]): number {
  return all.filter((one) => collectionName(one) === undefined).length;
}

interface CollectionRowProps {
  name: string;
  known?: Collection;
  onChanged(): void;
}

function CollectionRow({ name, known, onChanged }: CollectionRowProps) {
  const [open, setOpen] = useState<'settings' | 'erase' | undefined>();
  const [isErasing, setErasing] = useState(false);
  const toggle = (which: 'settings' | 'erase') => setOpen(open === which ? undefined : which);
  const shown = nameOf(name);

  function erase(): void {
    setErasing(true);
    setOpen(undefined);
    sendUnlessUndone({
      text: `Erasing ${shown}`,
      undo: () => setErasing(false),
      send() {
        api.eraseCollection(name).then(({ deleted_count: deleted }) => {
          say(`Erased ${shown}: ${plural(deleted, 'insight')}`);
          onChanged();
        }, complain);
      },
    });
  }

  return (
    <li class={isErasing ? 'row collection silenced' : 'row collection'}>
      <div class="what">
        <To path="/lessons" query={{ c: name }} class="title">
          {shown}
        </To>
        <p class="tags">
          {isErasing && <Badge kind="error">erased</Badge>}
          {known?.review === 'required' && <Badge kind="pending">review required</Badge>}
          {known?.holdout_share != null && known.holdout_share > 0 && (
            <Badge kind="agent">{`holds out ${Math.round(known.holdout_share * 100)} %`}</Badge>
          )}
          {known?.retention_days ? <Badge kind="agent">{`kept ${plural(known.retention_days, 'day')}`}</Badge> : null}
        </p>
      </div>
      {known && (
        <div class="quiet">
          {plural(known.insights, 'insight')}, {plural(known.runs, 'run')}
        </div>
      )}
      {known && (
        <div class="when">
          <Time at={known.last_upload_at} />
        </div>
      )}
      <div class="buttons">
        <button
          type="button"
          aria-expanded={open === 'settings'}
          aria-label={`Settings of ${shown}`}
          onClick={() => toggle('settings')}
        >
          Settings
        </button>
        <button
          type="button"
          class="danger"
          aria-expanded={open === 'erase'}
          aria-label={`Erase ${shown}`}
          onClick={() => toggle('erase')}
        >
          Erase
        </button>
      </div>
      {open === 'settings' && (
        <SettingsForm
          name={name}
          known={known}
          onSaved={() => {
            setOpen(undefined);
            onChanged();
          }}
        />
      )}
      {open === 'erase' && <EraseForm shown={shown} onErase={erase} />}
    </li>
  );
}

function EraseForm({ shown, onErase }: { shown: string; onErase(): void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      class="form inset"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === shown) onErase();
      }}
    >
      <p>
        This deletes every lesson, run and decision of the collection, and makes its raw uploads unreadable. Nobody can
        bring it back; backups keep what they have.
      </p>
      <div class="line">
        <label class="field grow">
          <span>
            Type <strong class="words">{shown}</strong> to confirm
          </span>
          <input value={typed} autocomplete="off" autofocus onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button type="submit" class="danger" disabled={typed !== shown}>
          Erase the collection
        </button>
      </div>
    </form>
  );
}

interface SettingsFormProps {
  name: string;
  known: Collection | undefined;
  onSaved(): void;
}

function SettingsForm({ name, known, onSaved }: SettingsFormProps) {
  const hasRetention = known !== undefined && 'retention_days' in known;

  async function save(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const number = (field: string) => (given.get(field) ? Number(given.get(field)) : undefined);
    const [share, days] = [number('holdout'), number('retention')];
    try {
      const settings = {
        review: given.get('review') as Collection['review'],
        ...(share === undefined ? {} : { holdout_share: share / 100 }),
        ...(days === undefined ? {} : { retention_days: days }),
      };
      await api.changeCollection(name, settings);
      say(`Saved the settings of ${nameOf(name)}`);
      onSaved();
    } catch (error) {
      complain(error);
    }
  }

  return (
    <form class="form inset" onSubmit={(event) => void save(event)}>
      <div class="line">
        <label class="field">
          <span>New lessons</span>
          <select name="review" defaultValue={known?.review ?? 'none'}>
            <option value="none" selected={known?.review !== 'required'}>
              are told at once
            </option>
            <option value="required" selected={known?.review === 'required'}>
              wait for approval
            </option>
          </select>
        </label>
        <label class="field">
          <span>Answers held out, in %</span>
          <input
            name="holdout"
            type="number"
            min={0}
            max={100}
            step="any"
            placeholder="as the server"
            defaultValue={known?.holdout_share == null ? '' : String(known.holdout_share * 100)}
          />
        </label>
        {hasRetention && (
          <label class="field">
            <span>Retention in days (0 = forever)</span>
            <input
              name="retention"
              type="number"
              min={0}
              placeholder="as the server"
              defaultValue={known.retention_days == null ? '' : String(known.retention_days)}
            />
          </label>
        )}
        <button type="submit" class="primary">
          Save
        </button>
      </div>
    </form>
  );
}
