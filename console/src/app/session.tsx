import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { answerOf, api, ApiError, listenForSessionEnd, type Schemas } from '../api/client';
import { Modal } from '../parts/modal';
import { live } from './services';
import { SignInForm } from './sign-in';

type User = Schemas['UserDto'];

const SessionContext = createContext<User | null>(null);

/** Who is signed in. */
export function useUser(): User {
  const user = useContext(SessionContext);
  if (!user) throw new Error('Nobody is signed in.');
  return user;
}

/** Whether the user administers the server. */
export const isAdmin = ({ roles }: User): boolean => roles.split(' ').includes('system_admin');

/** Asks to sign in first; and again when the session ends, over the page, which keeps what was typed. */
export function Session({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [hasEnded, setEnded] = useState(false);
  const { data: user } = useSuspenseQuery({ queryKey: ['me'], queryFn: readMe, staleTime: Infinity });
  useEffect(() => listenForSessionEnd(() => setEnded(true)), []);
  useEffect(() => {
    if (!user) return undefined;
    live.start();
    return () => live.stop();
  }, [user]);
  const signedIn = async (): Promise<void> => {
    setEnded(false);
    await client.invalidateQueries();
  };
  if (!user) return <SignInForm isPage onSignedIn={signedIn} />;
  return (
    <SessionContext value={user}>
      {children}
      <Modal title="Your session has ended" isOpen={hasEnded}>
        <p>Sign in again to go on. What you have typed is still there.</p>
        <SignInForm username={user.username} onSignedIn={signedIn} />
      </Modal>
    </SessionContext>
  );
}

async function readMe(): Promise<User | null> {
  try {
    return await answerOf(api.GET('/api/v4/users/{user_id}', { params: { path: { user_id: 'me' } } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
