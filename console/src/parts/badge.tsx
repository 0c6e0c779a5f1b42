import type { ReactNode } from 'react';

/** Severity of a state: good, neutral, warning, bad. */
export type Tone = 'good' | 'quiet' | 'warning' | 'bad';

/** A short state label. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
