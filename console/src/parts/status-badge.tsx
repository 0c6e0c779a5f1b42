import type { ReactNode } from 'react';
import { Badge } from './badge';
import type { Status } from './statuses';

/** The state of a record, one of `STATUS_OF`. */
export function StatusBadge({ status }: { readonly status: Status }): ReactNode {
  return (
    <Badge tone={status.tone} icon={status.icon}>
      {status.text}
    </Badge>
  );
}
