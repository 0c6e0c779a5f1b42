import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import type { IncomingHook } from './incoming-queries';

interface OwnerStateProps {
  readonly hook: IncomingHook;
  /** Whether it refused calls recently. */
  readonly isRefusing: boolean;
}

/** Whether a webhook accepts calls, which depends on its owner, its expiry and the payloads. */
export function OwnerState({ hook, isRefusing }: OwnerStateProps): ReactNode {
  if (hook.owner_state !== 'active')
    return <Badge tone="warning">owner {hook.owner_state.replace('_', ' ')}</Badge>;
  if (hook.expires_at > 0 && hook.expires_at <= Date.now()) return <Badge tone="warning">expired</Badge>;
  return isRefusing ? <Badge tone="warning">refuses calls</Badge> : <Badge tone="good">active</Badge>;
}
