import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Target, targetsOf } from './actions';
import type { AuditRow } from './system-queries';
import type { useTargetNames } from './target-names';

interface AuditTargetProps {
  readonly row: AuditRow;
  readonly find: ReturnType<typeof useTargetNames>;
}

/** An audit target: linked names of existing records, and ids of deleted ones. */
export function AuditTarget({ row, find }: AuditTargetProps): ReactNode {
  return targetsOf(row).map((target, index, all) => (
    <span key={index} title={target.id}>
      {index > 0 && ', '}
      <Part target={target} found={find(target)} before={all[index - 1]} />
    </span>
  ));
}

interface PartProps {
  readonly target: Target;
  readonly found: ReturnType<AuditTargetProps['find']>;
  /** The parent part, such as the webhook of a delivery. */
  readonly before: Target | undefined;
}

function Part({ target: { kind, id }, found, before }: PartProps): ReactNode {
  if (kind === 'delivery')
    return (
      <Link to="/deliveries" search={{ delivery: id, of: before?.id }}>
        the delivery
      </Link>
    );
  if (!found) return <code>{id}</code>;
  const name = found.name || 'Unnamed';
  if (kind === 'incoming')
    return (
      <Link to="/incoming/$hookId" params={{ hookId: found.id }}>
        {name}
      </Link>
    );
  if (kind === 'outgoing')
    return (
      <Link to="/outgoing/$hookId" params={{ hookId: id }}>
        {name}
      </Link>
    );
  if (kind === 'peer')
    return (
      <Link to="/connections/$remoteId" params={{ remoteId: id }}>
        {name}
      </Link>
    );
  if (kind === 'team')
    return (
      <Link to="/teams/$teamId" params={{ teamId: id }}>
        {name}
      </Link>
    );
  return (
    <Link to="/people/$userId" params={{ userId: id }}>
      {name}
    </Link>
  );
}
