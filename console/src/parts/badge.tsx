import type { ReactNode } from 'react';

/** How something stands: good, of no matter, to be looked at, bad. */
export type Tone = 'good' | 'quiet' | 'warning' | 'bad';

/** A word on how something stands. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
