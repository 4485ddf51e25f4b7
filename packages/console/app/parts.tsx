import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { queryText, useCollection, useQuery } from './address';
import type { Query } from './api';
import type { Loaded } from './load';

/** Parses the times of the API, which are UTC without a zone. */
export function dateOf(moment: string): Date {
  return new Date(/Z|[+-]\d\d:\d\d$/.test(moment) ? moment : `${moment}Z`);
}

const formats = {
  short: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
  full: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' }),
};
const ago = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

function textOf(date: Date): string {
  const minutes = Math.round((date.getTime() - Date.now()) / 60_000);
  if (Math.abs(minutes) < 60) return minutes === 0 ? 'just now' : ago.format(minutes, 'minute');
  if (Math.abs(minutes) < 24 * 60) return ago.format(Math.round(minutes / 60), 'hour');
  return date.getFullYear() === new Date().getFullYear() ? formats.short.format(date) : formats.day.format(date);
}

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="quiet">never</span>;
  const date = dateOf(at);
  return (
    <time dateTime={date.toISOString()} title={formats.full.format(date)}>
      {textOf(date)}
    </time>
  );
}

const numbers = new Intl.NumberFormat('en');
export const count = (value: number) => numbers.format(value);
export const percent = (value: number) => `${(value * 100).toFixed(value !== 0 && Math.abs(value) < 0.1 ? 1 : 0)} %`;
/** Of a difference between shares. */
export const points = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value * 100).toFixed(1)}`;
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export function Badge({ kind, children }: { kind: string; children?: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children ?? kind}</span>;
}

/** A link that stays in the collection. */
export function To({
  path,
  query,
  ...rest
}: {
  path: string;
  query?: Query;
  children: ComponentChildren;
  class?: string;
}) {
  const c = useCollection();
  return <Link href={path + queryText({ c, ...query })} {...rest} />;
}

interface ScreenProps {
  title: string;
  /** What the screen is for, in a sentence. */
  about?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, about, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Whetstone`;
  }, [title]);
  return (
    <>
      <div class="head">
        <div>
          <h1>{title}</h1>
          {about && <p class="about">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface LoadingProps<Data> {
  from: Loaded<Data>;
  /** What is loaded, as in "This server does not offer …". */
  what: string;
  children(data: Data): ComponentChildren;
}

/** What was loaded; or that it loads, failed, or does not exist at this server. */
export function Show<Data>({ from, what, children }: LoadingProps<Data>) {
  const { data, error, isLoading, reload } = from;
  if (error?.isMissing) return <p class="note">This server does not offer {what}.</p>;
  if (error) {
    return (
      <p class="note error" role="alert">
        {error.message}{' '}
        <button type="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  }
  if (data === undefined) return <p class="note loading">{isLoading ? 'Loading …' : ''}</p>;
  return <div class={isLoading ? 'loaded stale' : 'loaded'}>{children(data)}</div>;
}

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The cursor of the next page is in the address; going back is going back. */
export function Pages({ next }: { next: string | null | undefined }) {
  const query = useQuery();
  const isFirst = query.get('cursor') === '';
  if (isFirst && !next) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" disabled={isFirst} onClick={() => query.set({ cursor: '' })}>
        First page
      </button>
      <button type="button" disabled={isFirst} onClick={() => history.back()}>
        Previous
      </button>
      <button type="button" disabled={!next} onClick={() => next && query.set({ cursor: next })}>
        Next
      </button>
    </nav>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field inline">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Text to paste elsewhere. */
export function Copyable({ text }: { text: string }) {
  const box = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    if (box.current) getSelection()?.selectAllChildren(box.current);
    // Absent unless the page came by HTTPS or from this machine; then the text is at least selected.
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }

  return (
    <div class="copyable">
      <pre ref={box}>{text}</pre>
      <button type="button" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

/** A share between 0 and 1 as a bar with its number. */
export function Meter({ value, label }: { value: number; label: string }) {
  return (
    <span class="meter">
      <meter min={0} max={1} value={Math.max(0, value)} aria-label={label} />
      <span class="number">{value.toFixed(2)}</span>
    </span>
  );
}
