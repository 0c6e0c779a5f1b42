import { useState } from 'react';

/** How many deliveries the server sends again at once. */
export const MAX_SELECTED = 200;

/** The deliveries that somebody has chosen from a list. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Chooses all of these, as many as can be sent again at once. */
  readonly choose: (ids: readonly string[]) => void;
}

/** Chooses none at first. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(id) && after.size < MAX_SELECTED) after.add(id);
        return after;
      }),
    choose: (all) => setIds(new Set(all.slice(0, MAX_SELECTED))),
  };
}
