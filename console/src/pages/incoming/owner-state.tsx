import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { StatusBadge } from '../../parts/status-badge';
import { STATUS_OF } from '../../parts/statuses';
import type { IncomingHook } from './incoming-queries';

interface OwnerStateProps {
  readonly hook: IncomingHook;
  /** Whether it refused calls recently. */
  readonly isRefusing: boolean;
}

/** Whether a webhook accepts calls, which depends on its owner, its expiry and the payloads. */
export function OwnerState({ hook, isRefusing }: OwnerStateProps): ReactNode {
  if (hook.owner_state !== 'active')
    return <Badge tone="warning">Owner {hook.owner_state.replace('_', ' ')}</Badge>;
  const { expired, refusing, active } = STATUS_OF.webhook;
  if (hook.expires_at > 0 && hook.expires_at <= Date.now()) return <StatusBadge status={expired} />;
  return <StatusBadge status={isRefusing ? refusing : active} />;
}
