import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, Route, Switch, useLocation } from 'wouter-preact';
import { hasChosenCollection, nameOf, queryText, rememberCollection, useCollection, useQuery } from './address';
import { api, type Collection, collectionName, defaultCollection, type Scope, type SessionInfo } from './api';
import { Ask } from './ask';
import { Forget } from './forget';
import { Keys } from './keys';
import { LessonScreen } from './lesson';
import { Lessons } from './lessons';
import { forgetLoaded, useLoad } from './load';
import { sendAllWaiting } from './notices';
import { Overview } from './overview';
import { Screen, To } from './parts';
import { RunScreen } from './run';
import { Runs } from './runs';
import { chooseTheme, currentTheme, themes } from './theme';
import { WriteLesson } from './write-lesson';

const screens: readonly { path: string; name: string; hotkey: string; needs?: Scope }[] = [
  { path: '/', name: 'Overview', hotkey: 'o' },
  { path: '/ask', name: 'Ask', hotkey: 'a', needs: 'ask' },
  { path: '/lessons', name: 'Lessons', hotkey: 'l', needs: 'curate' },
  { path: '/runs', name: 'Runs', hotkey: 'r', needs: 'curate' },
  { path: '/forget', name: 'Forget', hotkey: 'f', needs: 'curate' },
  { path: '/keys', name: 'Keys', hotkey: 'k', needs: 'admin' },
];

interface ShellProps {
  session: SessionInfo;
  onSignOut(): void;
}

export function Shell({ session, onSignOut }: ShellProps) {
  const { scopes } = session;
  const may = (scope: Scope) => scopes.includes(scope);
  const offered = screens.filter(({ needs }) => needs === undefined || may(needs));
  const collections = useLoad(may('curate') ? 'collections' : undefined, (signal) =>
    api.collections({ limit: 200 }, signal),
  );
  const known = collections.data?.collections;
  useFirstCollection(known);
  useHotkeys(offered);
  const screen = { may, session, collection: useCollection(), collections };

  async function signOut(): Promise<void> {
    sendAllWaiting();
    await api.signOut().catch(() => undefined);
    forgetLoaded();
    onSignOut();
  }

  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <span class="brand">Whetstone</span>
        {(may('curate') || may('ask')) && <CollectionPicker known={known} />}
        <div class="who">
          <span class="quiet" title={`Key ${session.key_id}`}>
            {session.account}
          </span>
          <ThemePicker />
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <nav aria-label="Screens">
        {offered.map(({ path, name, hotkey }) => (
          <NavLink key={path} path={path} name={name} hotkey={hotkey} />
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <Switch>
          <Route path="/">
            <Overview {...screen} />
          </Route>
          {may('ask') && (
            <Route path="/ask">
              <Ask {...screen} />
            </Route>
          )}
          {may('curate') && (
            <Route path="/lessons">
              <Lessons {...screen} />
            </Route>
          )}
          {may('curate') && (
            <Route path="/lessons/new">
              <WriteLesson {...screen} />
            </Route>
          )}
          {may('curate') && (
            <Route path="/lessons/:id">{({ id }) => <LessonScreen key={id} id={id} {...screen} />}</Route>
          )}
          {may('curate') && (
            <Route path="/runs">
              <Runs {...screen} />
            </Route>
          )}
          {may('curate') && <Route path="/runs/:id">{({ id }) => <RunScreen key={id} id={id} {...screen} />}</Route>}
          {may('curate') && (
            <Route path="/forget">
              <Forget {...screen} />
            </Route>
          )}
          {may('admin') && <Route path="/keys/:tab?">{({ tab }) => <Keys tab={tab ?? ''} {...screen} />}</Route>}
          <Route>
            <Nowhere />
          </Route>
        </Switch>
      </main>
    </div>
  );
}

function Nowhere() {
  return (
    <Screen title="Nothing here">
      <p class="note">
        There is no such page, or the key that you signed in with may not see it. <To path="/">Overview</To>
      </p>
    </Screen>
  );
}

function NavLink({ path, name, hotkey }: { path: string; name: string; hotkey: string }) {
  const [here] = useLocation();
  const c = useCollection();
  const isHere = path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`);
  return (
    <Link href={path + queryText({ c })} aria-current={isHere ? 'page' : undefined} title={`g, then ${hotkey}`}>
      {name}
    </Link>
  );
}

/** `g` and a letter goes to a screen, `/` to the search of the screen. */
function useHotkeys(offered: typeof screens): void {
  const [, navigate] = useLocation();
  const c = useCollection();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const { target, key } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === 'g') pressedG.current = event.timeStamp;
      else if (event.timeStamp - pressedG.current < 1500) {
        const screen = offered.find(({ hotkey }) => hotkey === key);
        if (screen) navigate(screen.path + queryText({ c }));
        pressedG.current = Number.NEGATIVE_INFINITY;
      } else if (key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (!search) return;
        event.preventDefault();
        search.focus();
      }
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Whoever has never chosen a collection sees the one that was uploaded to last. */
function useFirstCollection(known: readonly Collection[] | undefined): void {
  const query = useQuery();
  const named = query.get('c');
  useEffect(() => {
    if (named) rememberCollection(named);
  }, [named]);
  const [first] = (known ?? [])
    .filter((one) => collectionName(one) !== undefined)
    .sort((a, b) => (b.last_upload_at ?? '').localeCompare(a.last_upload_at ?? ''));
  const name = first && collectionName(first);
  useEffect(() => {
    if (name !== undefined && !hasChosenCollection()) query.set({ c: name }, true);
  }, [name, query]);
}

/** Filters of one collection mean nothing in another. */
function CollectionPicker({ known = [] }: { known?: readonly Collection[] | undefined }) {
  const collection = useCollection();
  const [path, navigate] = useLocation();
  const [isNaming, setNaming] = useState(false);
  const names = new Set([defaultCollection, ...known.flatMap((one) => collectionName(one) ?? []).sort(), collection]);
  const listed = `/${path.split('/')[1] ?? ''}`;

  function open(name: string): void {
    setNaming(false);
    if (name !== '') navigate(listed + queryText({ c: name }));
  }

  if (isNaming) {
    return (
      <form
        class="picker"
        onSubmit={(event) => {
          event.preventDefault();
          open(String(new FormData(event.currentTarget).get('name')).trim());
        }}
      >
        <input
          name="name"
          aria-label="Name of the collection (tenant_id)"
          placeholder="tenant_id"
          autofocus
          autocomplete="off"
          maxLength={512}
          onKeyDown={(event) => event.key === 'Escape' && setNaming(false)}
        />
        <button type="submit">Open</button>
      </form>
    );
  }
  return (
    <select
      class="picker"
      aria-label="Collection"
      value={collection}
      onChange={({ currentTarget: { value } }) => (value === '' ? setNaming(true) : open(value))}
    >
      {[...names].map((name) => (
        <option key={name} value={name}>
          {nameOf(name)}
        </option>
      ))}
      <option value="">Another, by its name …</option>
    </select>
  );
}

function ThemePicker() {
  const [theme, setTheme] = useState(currentTheme());
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return (
    <button
      type="button"
      title={`Change to ${next}`}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    >
      Theme: {theme}
    </button>
  );
}
