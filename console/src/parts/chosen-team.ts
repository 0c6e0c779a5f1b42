import { useSyncExternalStore } from 'react';

const KEY = 'hookline.team';
const watchers = new Set<() => void>();
let chosen = localStorage.getItem(KEY) ?? '';

function choose(teamId: string): void {
  chosen = teamId;
  localStorage.setItem(KEY, teamId);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The team that the user has chosen last: in this tab, or before it was opened. It may not exist any more. */
export const useChosenTeam = (): readonly [teamId: string, choose: (teamId: string) => void] => [
  useSyncExternalStore(watch, () => chosen),
  choose,
];
