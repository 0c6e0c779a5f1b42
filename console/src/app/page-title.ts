import { useEffect, useSyncExternalStore } from 'react';

let title = '';
const watchers = new Set<() => void>();

function set(next: string): void {
  title = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Names the page in the breadcrumb and in the browser's tab, as long as it is shown. */
export function usePageTitle(shown: string): void {
  useEffect(() => {
    set(shown);
    return () => set('');
  }, [shown]);
}

/** The title of the shown page; empty while it loads. */
export const useCurrentTitle = (): string => useSyncExternalStore(watch, () => title);
