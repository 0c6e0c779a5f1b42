import { queryOptions, useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { answerOf, api, ApiError, listenForSessionEnd, type Schemas } from '../api/client';
import { readAgain } from '../api/read-again';
import { site } from '../api/site';
import { Modal } from '../parts/modal';
import { live } from './services';
import { SignInForm } from './sign-in';
import { signOut } from './sign-out';

type User = Schemas['UserDto'];

const SessionContext = createContext<User | null>(null);
const EndedContext = createContext(false);

/** The signed-in user. */
export function useUser(): User {
  const user = useContext(SessionContext);
  if (!user) throw new Error('Nobody is signed in.');
  return user;
}

/** Whether the sign-in dialog for an expired session is open. */
export const useHasEnded = (): boolean => useContext(EndedContext);

/** Whether the user is a system administrator. */
export const isAdmin = ({ roles }: User): boolean => roles.split(' ').includes('system_admin');

/**
 * Shows the sign-in form, and again over the page when the session expires; the same user keeps typed text.
 * If another user has signed in meanwhile, even in another tab, all data of the previous user is dropped.
 */
export function Session({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [hasEnded, setEnded] = useState(false);
  const [{ data: present }] = useSuspenseQueries({
    queries: [me, site],
  });
  const [first, setFirst] = useState(present);
  if (!first && present) setFirst(present);
  const user = present ?? first;
  const isOther = user?.id !== first?.id;
  useEffect(() => listenForSessionEnd(() => setEnded(true)), []);
  useEffect(() => {
    if (isOther) location.reload();
  }, [isOther]);
  useEffect(() => {
    if (first) live.start();
    return () => live.stop();
  }, [first]);
  const signedIn = async (): Promise<void> => {
    if (first && (await readMe())?.id !== first.id) return location.reload();
    setEnded(false);
    if (first) live.restart(); // otherwise it waits for its next attempt
    await readAgain(client);
  };
  if (!user) return <SignInForm isPage onSignedIn={signedIn} />;
  if (isOther) return null;
  const isSignedOut = hasEnded || !present;
  return (
    <SessionContext value={user}>
      <EndedContext value={isSignedOut}>{children}</EndedContext>
      <EndedSession username={user.username} isOpen={isSignedOut} onSignedIn={signedIn} />
    </SessionContext>
  );
}

interface EndedSessionProps {
  readonly username: string;
  readonly isOpen: boolean;
  readonly onSignedIn: () => Promise<void>;
}

function EndedSession({ username, isOpen, onSignedIn }: EndedSessionProps): ReactNode {
  useEffect(() => (isOpen ? keepEscape() : undefined), [isOpen]);
  return (
    <Modal title="Your session has ended" isOpen={isOpen}>
      <p>Sign in again to continue. What you have typed is still here.</p>
      <SignInForm
        username={username}
        onSignedIn={onSignedIn}
        extra={
          <button type="button" onClick={() => void signOut()}>
            Use another account
          </button>
        }
      />
    </Modal>
  );
}

/** Escape would close the form under this dialog and discard what was typed there. */
function keepEscape(): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') event.stopPropagation();
  };
  window.addEventListener('keydown', press, true);
  return () => window.removeEventListener('keydown', press, true);
}

/** Whether there is a session: this cookie comes and goes with the session's, which scripts cannot read. */
export const hasSession = (): boolean => /(?:^|; )MMCSRF=/.test(document.cookie);

async function readMe(): Promise<User | null> {
  if (!hasSession()) return null;
  try {
    return await answerOf(api.GET('/api/v4/users/{user_id}', { params: { path: { user_id: 'me' } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The signed-in user, or null. */
export const me = queryOptions({ queryKey: ['me'], queryFn: readMe, staleTime: Infinity });
