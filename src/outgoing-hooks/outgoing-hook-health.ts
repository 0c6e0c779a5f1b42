import type { OutgoingHook } from './outgoing-hook.entity.js';

/** The state of a hook's endpoints. */
export type HookHealth = Pick<
  OutgoingHook,
  'disabledAt' | 'disabledReason' | 'disabledUrls' | 'failingUrls' | 'lastFailureAt'
>;

/** The state of a hook without failures. */
export const HEALTHY: HookHealth = {
  disabledAt: 0,
  disabledReason: '',
  disabledUrls: [],
  failingUrls: {},
  lastFailureAt: 0,
};

/**
 * The state for the hook's current callback URLs: drops other URLs, and disables the hook if and only if all of its URLs
 * are disabled. `reason` is stored if the hook was enabled until now.
 */
export function healthOf(hook: OutgoingHook, now: number, reason: string): HookHealth {
  const isCalled = (url: string): boolean => hook.callbackUrls.includes(url);
  const { lastFailureAt } = hook;
  const disabledUrls = hook.disabledUrls.filter(isCalled);
  const failingUrls = Object.fromEntries(Object.entries(hook.failingUrls).filter(([url]) => isCalled(url)));
  if (!hook.callbackUrls.every((url) => disabledUrls.includes(url)))
    return { ...HEALTHY, disabledUrls, failingUrls, lastFailureAt };
  const { disabledAt, disabledReason } =
    hook.disabledAt > 0 ? hook : { disabledAt: now, disabledReason: reason };
  return { disabledAt, disabledReason, disabledUrls, failingUrls, lastFailureAt };
}
