import { useState } from 'react';

/** Maximum number of deliveries the server retries at once. */
export const MAX_SELECTED = 200;

/** The deliveries selected in a list. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects these, up to the number that can be retried at once. */
  readonly choose: (ids: readonly string[]) => void;
}

/** Starts with an empty selection. */
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
