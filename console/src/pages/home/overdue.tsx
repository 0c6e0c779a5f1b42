import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { Time } from '../../parts/time';

/** The server stops counting overdue endpoints at this number. */
const MAX_COUNTED = 500;

interface OverdueProps {
  readonly found: Pick<Schemas['EndpointListDto'], 'overdue_count' | 'oldest_due_at'>;
}

/** Number of endpoints with overdue deliveries, since when, and a link to the oldest ones. */
export function Overdue({ found: { overdue_count: count, oldest_due_at: oldest } }: OverdueProps): ReactNode {
  const endpoints = count >= MAX_COUNTED ? `${MAX_COUNTED} endpoints or more` : `${count} endpoints`;
  return (
    <span>
      Deliveries to {count === 1 ? 'one endpoint' : endpoints} are overdue; the first was due{' '}
      <Time at={oldest} isInText />.{' '}
      <Link to="/deliveries" search={{ status: 'pending', before: String(oldest + 1) }}>
        Show the longest waiting
      </Link>
    </span>
  );
}
