import type { ReactNode } from 'react';
import { Countdown } from '../../parts/countdown';

/** Countdown until an invite expires. `at` is in milliseconds. */
export function InviteExpiry({ at }: { readonly at: number }): ReactNode {
  return (
    <Countdown until={at} before="The invite expires in" over="The invite has expired. Create a new one." />
  );
}
