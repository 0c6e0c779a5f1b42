import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCurrentTitle } from './page-title';
import { pageAt } from './pages';
import { useUser } from './session';

/** A record that the user has opened. */
interface Recent {
  readonly href: string;
  readonly title: string;
  readonly note: string;
}

const MAX_RECENT = 6;
const PREFIX = 'hookline.recent.';

/** Records that the user has opened in this browser, latest first; keeps them up to date. */
export function useRecent(): readonly Recent[] {
  const key = PREFIX + useUser().id;
  const [recent, setRecent] = useLocalStorage<readonly Recent[]>({
    ...{ key, defaultValue: [], getInitialValueInEffect: false },
  });
  const { pathname, href } = useLocation();
  const title = useCurrentTitle();
  useEffect(() => {
    const page = pageAt(pathname)?.page;
    if (title === '' || !page || pathname === page.to) return;
    const isRecord = pathname.endsWith('/details'); // told apart by the search
    const entry = { href: isRecord ? href : pathname, title, note: page.heading ?? page.title };
    const former = readLocalStorageValue<readonly Recent[]>({ key, defaultValue: [] }) ?? [];
    const others = former.filter((one) => one.href !== entry.href);
    setRecent([entry, ...others].slice(0, MAX_RECENT));
  }, [key, pathname, href, title, setRecent]);
  return recent;
}

/** Forgets the records of all users. */
export function forgetRecent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
