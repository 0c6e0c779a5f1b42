import type { OutgoingHook } from './outgoing-hook.entity.js';

/** What was learned about the endpoints of a hook. */
export type HookHealth = Pick<OutgoingHook, 'disabledAt' | 'disabledReason' | 'disabledUrls' | 'failingUrls'>;

export const HEALTHY: HookHealth = { disabledAt: 0, disabledReason: '', disabledUrls: [], failingUrls: {} };

/**
 * What is known of a hook that calls its URLs from now on: nothing of others, and it is off exactly when all of its
 * own are given up. `reason` says why, if it was on until now.
 */
export function healthOf(hook: OutgoingHook, now: number, reason: string): HookHealth {
  const isCalled = (url: string): boolean => hook.callbackUrls.includes(url);
  const disabledUrls = hook.disabledUrls.filter(isCalled);
  const failingUrls = Object.fromEntries(Object.entries(hook.failingUrls).filter(([url]) => isCalled(url)));
  if (!hook.callbackUrls.every((url) => disabledUrls.includes(url)))
    return { ...HEALTHY, disabledUrls, failingUrls };
  const { disabledAt, disabledReason } =
    hook.disabledAt > 0 ? hook : { disabledAt: now, disabledReason: reason };
  return { disabledAt, disabledReason, disabledUrls, failingUrls };
}
