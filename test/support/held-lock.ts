import { Clock } from '../../src/platform/common/clock.js';
import type { OwnerLock } from '../../src/platform/database/owner-lock.js';

/** The lock of the only process, which is never lost. */
export const heldLock: OwnerLock = {
  isHeld: true,
  slot: undefined,
  clock: new Clock(),
  started: async () => undefined,
  release: async () => undefined,
};
