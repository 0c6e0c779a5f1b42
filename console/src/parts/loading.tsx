import type { ReactNode } from 'react';

/** Loading placeholder. */
export function Loading(): ReactNode {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
