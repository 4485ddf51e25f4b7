import { useState } from 'preact/hooks';
import { useQuery } from './address';
import { type ApiKey, type AuditEntry, api, type KeyUsage } from './api';
import { Chart } from './chart';
import { asApiError, useLoad } from './load';
import { complain, say } from './notices';
import { Badge, Choice, Copyable, count, Empty, Pages, plural, Screen, Show, Time, To } from './parts';
import type { ScreenContext } from './screen-context';

const tabs = [
  ['', 'Keys'],
  ['audit', 'Audit'],
  ['usage', 'Usage'],
] as const;

export function Keys({ tab, session }: ScreenContext & { tab: string }) {
  return (
    <Screen title="Keys and audit" about="Who may do what in this account, who did what, and how much.">
      <nav class="tabs" aria-label="Keys and audit">
        {tabs.map(([path, name]) => (
          <To key={path} path={path === '' ? '/keys' : `/keys/${path}`} {...(tab === path && { class: 'here' })}>
            {name}
          </To>
        ))}
      </nav>
      {tab === 'audit' ? <Audit /> : tab === 'usage' ? <Usage /> : <KeyList ownKey={session.key_id} />}
    </Screen>
  );
}

function KeyList({ ownKey }: { ownKey: string }) {
  const keys = useLoad('keys', (signal) => api.keys(signal));
  const query = useQuery();
  const showsAll = query.get('status') === 'all';
  return (
    <>
      <IssueForm onIssued={keys.reload} />
      <Show from={keys} what="keys">
        {({ keys: all }) => {
          const shown = [...all]
            .reverse()
            .filter(({ status }) => showsAll || status === 'active' || status === 'ending');
          return (
            <>
              <div class="filters">
                <Choice
                  label="Show"
                  value={showsAll ? 'all' : ''}
                  options={[
                    ['', 'valid keys'],
                    ['all', 'all keys ever issued'],
                  ]}
                  onChange={(value) => query.set({ status: value })}
                />
              </div>
              <ul class="rows">
                {shown.map((key) => (
                  <KeyRow key={key.key_id} apiKey={key} isOwn={key.key_id === ownKey} onRevoked={keys.reload} />
                ))}
              </ul>
            </>
          );
        }}
      </Show>
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  isOwn: boolean;
  onRevoked(): void;
}

function KeyRow({ apiKey, isOwn, onRevoked }: KeyRowProps) {
  const [isRevoking, setRevoking] = useState(false);
  const {
    key_id: id,
    scopes,
    status,
    trust,
    reason,
    approved_by: by,
    issued_at,
    expires_at,
    revocation_reason,
  } = apiKey;
  const isValid = status === 'active' || status === 'ending';

  async function revoke(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    try {
      await api.revokeKey(id, String(new FormData(event.currentTarget).get('reason')).trim());
      say(`Revoked ${id}`);
      onRevoked();
    } catch (error) {
      complain(error);
    }
  }

  return (
    <li class={isValid ? 'row key' : 'row key silenced'}>
      <div class="what">
        <code class="title">{id}</code>
        <p class="text">
          {reason} <span class="quiet">· approved by {by}</span>
        </p>
        <p class="tags">
          {status !== 'active' && <Badge kind={status === 'ending' ? 'pending' : 'rejected'}>{status}</Badge>}
          {scopes.map((scope) => (
            <Badge key={scope} kind={scope === 'admin' ? 'pinned' : 'agent'}>
              {scope}
            </Badge>
          ))}
          {trust !== 'normal' && <Badge kind="agent">{`${trust} trust`}</Badge>}
          {isOwn && <Badge kind="told">signed in</Badge>}
          {revocation_reason && <span class="quiet">{revocation_reason}</span>}
        </p>
      </div>
      <div class="when">
        <span>
          issued <Time at={issued_at} />
        </span>
        <span>
          expires <Time at={expires_at} />
        </span>
      </div>
      <div class="buttons">
        {isValid && !isOwn && (
          <button
            type="button"
            class="danger"
            aria-expanded={isRevoking}
            aria-label={`Revoke ${id}`}
            onClick={() => setRevoking(!isRevoking)}
          >
            Revoke
          </button>
        )}
      </div>
      {isRevoking && isValid && (
        <form class="form inset" onSubmit={(event) => void revoke(event)}>
          <div class="line">
            <label class="field grow">
              <span>Why? The key stops working at once.</span>
              <input name="reason" required maxLength={200} autofocus placeholder="leaked in a build log" />
            </label>
            <button type="submit" class="danger">
              Revoke the key
            </button>
          </div>
        </form>
      )}
    </li>
  );
}

const grantable = [
  ['ask', 'get recommendations'],
  ['record', 'upload runs'],
  ['curate', 'see, decide and delete lessons'],
] as const;

function IssueForm({ onIssued }: { onIssued(): void }) {
  const [issued, setIssued] = useState('');
  const [problem, setProblem] = useState('');

  async function issue(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const [days, reason] = [Number(given.get('days')), String(given.get('reason')).trim()];
    try {
      const { key } = await api.issueKey({
        scopes: given.getAll('scope'),
        trust: given.get('trust'),
        reason,
        ...(days > 0 && { expires_in_days: days }),
      });
      setProblem('');
      setIssued(key);
      form.reset();
      onIssued();
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  }

  return (
    <details class="card" open={issued !== '' || undefined}>
      <summary>Issue a key</summary>
      <form class="form" onSubmit={(event) => void issue(event)}>
        <fieldset>
          <legend>Scopes</legend>
          {grantable.map(([scope, meaning]) => (
            <label key={scope} class="check">
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope !== 'curate'} />
              <span>
                <strong>{scope}</strong>: {meaning}
              </span>
            </label>
          ))}
        </fieldset>
        <div class="line">
          <label class="field grow">
            <span>Reason</span>
            <input name="reason" required maxLength={200} placeholder="shop agents" />
          </label>
          <label class="field">
            <span>Expires</span>
            <select name="days">
              <option value="90">in 90 days</option>
              <option value="30">in 30 days</option>
              <option value="365">in a year</option>
              <option value="0">never</option>
            </select>
          </label>
          <label class="field">
            <span>Trust in its uploads</span>
            <select name="trust">
              <option value="normal">normal</option>
              <option value="low">low</option>
              <option value="high">high</option>
            </select>
          </label>
          <button type="submit" class="primary">
            Issue
          </button>
        </div>
        {problem && (
          <p class="note error" role="alert">
            {problem}
          </p>
        )}
        <p class="quiet">Admin keys can only be issued from the command line.</p>
      </form>
      {issued && (
        <div role="status">
          <p>
            <strong>The new key. It is shown only this once:</strong>
          </p>
          <Copyable text={issued} />
        </div>
      )}
    </details>
  );
}

function Audit() {
  const cursor = useQuery().get('cursor');
  const audit = useLoad(`audit ${cursor}`, (signal) => api.audit({ cursor, limit: 50 }, signal));
  return (
    <Show from={audit} what="the audit trail">
      {({ entries, next_cursor: next }) => (
        <>
          {entries.length === 0 && (
            <Empty title="Nothing decided yet">
              <p>Keys issued and revoked, decisions about lessons, settings and deletions appear here.</p>
            </Empty>
          )}
          <ul class="rows">
            {entries.map((entry) => (
              <AuditRow key={JSON.stringify(entry)} entry={entry} />
            ))}
          </ul>
          <Pages next={next} />
        </>
      )}
    </Show>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { at, key_id: keyId, action, tenant_id: tenant, subject, outcome, details } = entry;
  const told = [tenant, subject, details].filter((one) => one != null && one !== '').map(asText);
  return (
    <li class="row audit">
      <div class="what">
        <strong>{action}</strong> {outcome !== 'done' && <Badge kind="failure">{outcome}</Badge>}
        <p class="text words">{told.join(' · ')}</p>
      </div>
      <div>{keyId === null ? <Badge kind="pinned">operator</Badge> : <code>{keyId}</code>}</div>
      <div class="when">
        <Time at={at} />
      </div>
    </li>
  );
}

function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(asText).join(' ');
  return Object.entries(value)
    .map(([name, each]) => `${name} ${asText(each)}`)
    .join(', ');
}

const figures = ['answers', 'empty_answers', 'uploads', 'bytes', 'refusals'] as const;
const figureNames = ['Answers', 'of them empty', 'Uploads', 'Bytes', 'Refusals'];
type Figures = Record<(typeof figures)[number], number>;

export function sumOf(all: readonly Figures[]): Figures {
  const sum = { answers: 0, empty_answers: 0, uploads: 0, bytes: 0, refusals: 0 };
  for (const one of all) for (const name of figures) sum[name] += one[name];
  return sum;
}

export function UsageChart({ days }: { days: readonly { date: string; keys: readonly KeyUsage[] }[] }) {
  const sums = days.map(({ keys }) => sumOf(keys));
  const total = sumOf(sums);
  return (
    <Chart
      label={`${count(total.answers)} answers, ${count(total.empty_answers)} of them empty, and ${plural(total.uploads, 'upload')} in ${plural(days.length, 'day')}`}
      days={days.map(({ date }) => date)}
      series={[
        { label: 'Answers', color: '--series-1', values: sums.map(({ answers }) => answers) },
        { label: 'Empty answers', color: '--series-2', values: sums.map(({ empty_answers }) => empty_answers) },
        { label: 'Uploads', color: '--series-3', values: sums.map(({ uploads }) => uploads) },
      ]}
    />
  );
}

function Usage() {
  const query = useQuery();
  const days = query.get('days') || '30';
  const usage = useLoad(`usage ${days}`, (signal) => api.usage(Number(days), signal));
  return (
    <>
      <div class="filters">
        <Choice
          label="Of the last"
          value={days}
          options={[
            ['7', '7 days'],
            ['30', '30 days'],
            ['90', '90 days'],
          ]}
          onChange={(value) => query.set({ days: value })}
        />
      </div>
      <Show from={usage} what="usage figures">
        {({ days: all }) => {
          const used = all.flatMap(({ keys }) => keys);
          const ids = [...new Set(used.map(({ key_id: id }) => id))];
          return (
            <>
              <UsageChart days={all} />
              <div class="wide">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Key</th>
                      {figureNames.map((name) => (
                        <th key={name} scope="col">
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {ids.map((id) => {
                      const sum = sumOf(used.filter((one) => one.key_id === id));
                      return (
                        <tr key={id}>
                          <th scope="row">
                            <code>{id}</code>
                          </th>
                          {figures.map((name) => (
                            <td key={name}>{count(sum[name])}</td>
                          ))}
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
              {ids.length === 0 && <p class="quiet">No key was used.</p>}
            </>
          );
        }}
      </Show>
    </>
  );
}
