import { IconHourglassEmpty, IconUserOff } from '@tabler/icons-react';
import { type Status, STATUS_OF } from '../../parts/statuses';
import type { IncomingHook } from './incoming-queries';

/** What a webhook does with calls. */
export const STATES = {
  active: STATUS_OF.webhook.active,
  unused: { tone: 'quiet', text: 'Waiting for the first call', icon: IconHourglassEmpty },
  refusing: STATUS_OF.webhook.refusing,
  expired: STATUS_OF.webhook.expired,
  ownerless: { tone: 'warning', text: 'Owner gone', icon: IconUserOff },
} as const satisfies Readonly<Record<string, Status>>;

/** The name of the state of a webhook, which depends on its owner, its expiry and its recent calls. */
export function stateOf(hook: IncomingHook, isRefusing: boolean): keyof typeof STATES {
  if (hook.owner_state !== 'active') return 'ownerless';
  if (hook.expires_at > 0 && hook.expires_at <= Date.now()) return 'expired';
  if (isRefusing) return 'refusing';
  return hook.last_used === 0 ? 'unused' : 'active';
}

/** The state of a webhook in a word or two. */
export function statusOf(hook: IncomingHook, isRefusing: boolean): Status {
  const state = stateOf(hook, isRefusing);
  return state === 'ownerless'
    ? { ...STATES.ownerless, text: `Owner ${hook.owner_state.replace('_', ' ')}` }
    : STATES[state];
}
