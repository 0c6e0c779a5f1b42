import { Link, useLocation } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Over } from './palette';
import type { Page } from './record-queries';
import { live } from './services';
import { useUser } from './session';
import { signOut } from './sign-out';

const CONNECTIONS = {
  connecting: { tone: 'muted', text: 'Connecting…' },
  connected: { tone: 'good', text: 'Connected' },
  lost: { tone: 'bad', text: 'Not connected; retrying' },
} as const;

interface NavigationProps {
  readonly pages: readonly Page[];
  readonly onOpen: (what: Over) => void;
}

/** Page links, signed-in user and connection state. On narrow screens, one line with a menu button. */
export function Navigation({ pages, onOpen }: NavigationProps): ReactNode {
  const user = useUser();
  const connection = CONNECTIONS[useSyncExternalStore(live.watch, () => live.state)];
  const place = useLocation({ select: ({ pathname }) => pathname });
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== place) setOpenAt(null);
  const isOpen = openAt === place; // any navigation closes the menu
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();
  const close = (): void => {
    setOpenAt(null);
    button.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (isOpen && event.key === 'Escape') close();
  };
  const click = ({ target }: MouseEvent): void => {
    if (isOpen && target instanceof HTMLElement && target.closest('a')) close();
  };
  return (
    <nav aria-label="Pages" className={isOpen ? 'open' : ''} onKeyDown={press}>
      <p className="brand">Hookline</p>
      <button
        ref={button}
        className="menu"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpenAt(isOpen ? null : place)}
      >
        Menu
      </button>
      <button className="go-to" aria-keyshortcuts="Control+K" onClick={() => onOpen('go')}>
        Search <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <ul id={list} onClick={click}>
        {pages.map(({ to, title }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <div className="nav-foot">
        <button className="plain keys" aria-keyshortcuts="?" onClick={() => onOpen('help')}>
          <kbd aria-hidden="true">?</kbd> Keys
        </button>
        <a href="api/docs">API documentation</a>
        <p role="status" className={`link-state ${connection.tone}`}>
          {connection.text}
        </p>
        <p>
          <Link
            to="/account"
            aria-label={`Your account, ${user.username}`}
            activeProps={{ 'aria-current': 'page' }}
          >
            <b>{user.username}</b>
          </Link>{' '}
          <button className="small" onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      </div>
    </nav>
  );
}
