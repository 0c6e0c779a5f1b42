import { Outlet, useMatches } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Faults } from '../parts/faults';
import { Loading } from '../parts/loading';
import { Navigation } from './navigation';
import { Palette, useOver } from './palette';
import { isAdmin, useUser } from './session';

/** Pages in navigation order. */
export const PAGES = [
  { to: '/', title: 'Home', isForAdmins: false },
  { to: '/channels', title: 'Channels', isForAdmins: false },
  { to: '/incoming', title: 'Incoming webhooks', isForAdmins: false },
  { to: '/outgoing', title: 'Outgoing webhooks', isForAdmins: false },
  { to: '/deliveries', title: 'Deliveries', isForAdmins: true },
  { to: '/endpoints', title: 'Endpoints', isForAdmins: true },
  { to: '/connections', title: 'Secure connections', isForAdmins: true },
  { to: '/people', title: 'People', isForAdmins: true },
  { to: '/teams', title: 'Teams', isForAdmins: true },
  { to: '/system', title: 'System', isForAdmins: true },
] as const;

/** Layout around every page. */
export function Shell(): ReactNode {
  const user = useUser();
  const pages = PAGES.filter(({ isForAdmins }) => !isForAdmins || isAdmin(user));
  const [over, setOver] = useOver();
  const place = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <Navigation pages={pages} onOpen={setOver} />
      <main id="main" tabIndex={-1}>
        <Faults key={place}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </Faults>
      </main>
      <Palette pages={pages} open={over} onOpen={setOver} />
    </div>
  );
}

function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
