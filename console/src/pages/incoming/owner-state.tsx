import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import type { IncomingHook } from './incoming-queries';

/** Whether a webhook takes calls, which depends on its owner. */
export function OwnerState({ hook }: { readonly hook: IncomingHook }): ReactNode {
  return hook.owner_state === 'active' ? (
    <Badge tone="good">active</Badge>
  ) : (
    <Badge tone="warning">owner {hook.owner_state.replace('_', ' ')}</Badge>
  );
}
