import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Time } from '../../parts/time';

/** The server stops counting overdue endpoints at this number. */
const MAX_COUNTED = 500;

interface OverdueProps {
  readonly found: Pick<Schemas['EndpointListDto'], 'overdue_count' | 'oldest_due_at'>;
}

/** Place of the deliveries that have waited longest. */
export const longestWaiting = ({ oldest_due_at: oldest }: OverdueProps['found']) =>
  ({ to: '/deliveries', search: { status: 'pending', before: String(oldest + 1) } }) as const;

/** Number of endpoints with overdue deliveries, and since when. */
export function Overdue({ found: { overdue_count: count, oldest_due_at: oldest } }: OverdueProps): ReactNode {
  const endpoints = count >= MAX_COUNTED ? `${MAX_COUNTED} endpoints or more` : `${count} endpoints`;
  return (
    <span>
      Deliveries to {count === 1 ? 'one endpoint' : endpoints} are overdue; the first was due{' '}
      <Time at={oldest} isInText />.
    </span>
  );
}
