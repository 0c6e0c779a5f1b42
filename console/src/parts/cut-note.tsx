import type { ReactNode } from 'react';
import { LONGEST_LIST } from '../api/all-pages';

/** Notes that a list of the maximum length may have more rows. */
export function CutNote({ count }: { readonly count: number }): ReactNode {
  if (count < LONGEST_LIST) return null;
  return (
    <p className="advice">
      Lists are limited to {LONGEST_LIST.toLocaleString()} entries. There may be more, which are neither shown
      nor searched here.
    </p>
  );
}
