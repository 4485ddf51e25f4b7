import { useState } from 'preact/hooks';
import { api, type SessionInfo } from './api';
import { asApiError } from './load';

interface SignInProps {
  note?: string | undefined;
  onSignIn(session: SessionInfo): void;
}

export function SignIn({ note, onSignIn }: SignInProps) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function signIn(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      onSignIn(await api.signIn(key.trim()));
    } catch (error) {
      const { status, message } = asApiError(error);
      setProblem(status === 401 ? 'This key is not valid, has expired, or was revoked.' : message);
      setBusy(false);
    }
  }

  return (
    <main class="sign-in">
      <form onSubmit={(event) => void signIn(event)}>
        <h1>Whetstone</h1>
        {note && <p class="note">{note}</p>}
        <label class="field">
          <span>API key</span>
          <input
            name="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            autofocus
            placeholder="wst_…"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy || key.trim() === ''}>
          Sign in
        </button>
        {problem && (
          <p class="note error" role="alert">
            {problem}
          </p>
        )}
        <p class="quiet">
          You see what the key may do. The browser keeps a session instead of the key. Operators issue keys with{' '}
          <code>whetstone keys issue</code>.
        </p>
      </form>
    </main>
  );
}
