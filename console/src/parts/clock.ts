import { useSyncExternalStore } from 'react';

/** How times are shown: as distances from now, as local times, or in UTC. */
export type TimePreference = 'relative' | 'absolute' | 'utc';

const KEY = 'hookline.times';
const TICK_MS = 1_000;

/** One shared timer for all displayed times; it runs only while there are any. */
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let preference = read();

function read(): TimePreference {
  const stored = localStorage.getItem(KEY);
  return stored === 'absolute' || stored === 'utc' ? stored : 'relative';
}

function tell(): void {
  for (const one of watchers) one();
}

window.addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  preference = read();
  tell();
});

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(tell, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A value that depends on the current time or the preference. Rerenders only if it changes. */
export const useClock = <T extends string>(read: (now: number, preference: TimePreference) => T): T =>
  useSyncExternalStore(watch, () => read(Date.now(), preference));

/** How the user of this browser wants to see times. */
export const useTimePreference = (): TimePreference => useClock((_, preferred) => preferred);

/** Changes how all times are shown, at once and in all tabs. */
export function setTimePreference(chosen: TimePreference): void {
  localStorage.setItem(KEY, chosen);
  preference = chosen;
  tell();
}
