import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { answerOf, api } from '../api/client';
import { Faults } from '../parts/faults';
import { Palette } from './palette';
import { live, queries } from './services';
import { isAdmin, useUser } from './session';

/** The pages, in the order in which they are listed. */
export const PAGES = [
  { to: '/', title: 'Home', isForAdmins: false },
  { to: '/channels', title: 'Channels', isForAdmins: false },
  { to: '/incoming', title: 'Incoming webhooks', isForAdmins: false },
  { to: '/outgoing', title: 'Outgoing webhooks', isForAdmins: false },
  { to: '/deliveries', title: 'Deliveries', isForAdmins: true },
  { to: '/connections', title: 'Secure connections', isForAdmins: true },
  { to: '/system', title: 'System', isForAdmins: true },
] as const;

/** What surrounds every page: the way to the others, who is signed in, and whether the server is there. */
export function Shell(): ReactNode {
  const user = useUser();
  const isConnected = useSyncExternalStore(live.watch, () => live.isConnected);
  const pages = PAGES.filter(({ isForAdmins }) => !isForAdmins || isAdmin(user));
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <nav aria-label="Pages">
        <p className="brand">Hookline</p>
        <ul>
          {pages.map(({ to, title }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
        <div className="nav-foot">
          <a href="api/docs">API documentation</a>
          <p role="status" className={isConnected ? 'link-state good' : 'link-state bad'}>
            {isConnected ? 'Connected' : 'Not connected; trying again'}
          </p>
          <p>
            <b>{user.username}</b>{' '}
            <button className="small" onClick={() => void signOut()}>
              Sign out
            </button>
          </p>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <Faults>
          <Suspense fallback={<p className="loading">Loading…</p>}>
            <Outlet />
          </Suspense>
        </Faults>
      </main>
      <Palette pages={pages} />
    </div>
  );
}

function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

async function signOut(): Promise<void> {
  await answerOf(api.POST('/api/v4/users/logout')).catch(() => undefined); // the page shows who is signed in still
  queries.clear();
  location.reload();
}
