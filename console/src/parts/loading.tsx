import type { ReactNode } from 'react';

/** In place of what is on its way. */
export function Loading(): ReactNode {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
