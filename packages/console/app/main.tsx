import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { api, basePath, type SessionInfo, whenSignedOut } from './api';
import { forgetLoaded } from './load';
import { Notices } from './notices';
import { Shell } from './shell';
import { SignIn } from './sign-in';
import { followTheme } from './theme';
import './style.css';

/** Undefined until the server has told whether somebody is signed in. */
type SignedIn = { session?: SessionInfo; note?: string } | undefined;

function Console() {
  const [signedIn, setSignedIn] = useState<SignedIn>();

  useEffect(() => {
    api.session().then(
      (session) => setSignedIn({ session }),
      (error: { status?: number; message: string }) => setSignedIn(error.status === 401 ? {} : { note: error.message }),
    );
    whenSignedOut(() => {
      forgetLoaded();
      setSignedIn((before) => (before?.session ? { note: 'Your session has ended. Sign in again.' } : before));
    });
  }, []);

  if (signedIn === undefined) return null;
  const { session, note } = signedIn;
  return (
    <Router base={basePath}>
      {session ? (
        <Shell session={session} onSignOut={() => setSignedIn({ note: 'You are signed out.' })} />
      ) : (
        <SignIn note={note} onSignIn={(next) => setSignedIn({ session: next })} />
      )}
      <Notices />
    </Router>
  );
}

followTheme();
const root = document.getElementById('console');
if (root) render(<Console />, root);
