import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';

type Outcome = Schemas['RetriedDeliveriesDto'];

/** Number of retried deliveries, and why others were refused. */
export function RetryOutcome({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const { retried_count: retried, refused_count: refused } = outcome;
  return (
    <div role="status">
      <p>
        {retried} {retried === 1 ? 'delivery is' : 'deliveries are'} sent again.
        {refused > 0 && ` ${refused} ${refused === 1 ? 'is' : 'are'} not:`}
      </p>
      {refused > 0 && (
        <ul>
          {reasonsOf(outcome).map(([message, count]) => (
            <li key={message}>
              {count} × {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Counts each reason. */
function reasonsOf({ results }: Outcome): [string, number][] {
  const counts = new Map<string, number>();
  for (const { error } of results) if (error) counts.set(error.message, (counts.get(error.message) ?? 0) + 1);
  return [...counts];
}
