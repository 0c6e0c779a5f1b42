import { ApiError } from '../../api/client';
import type { Explanation } from '../../parts/form';

/** Nobody has the name that was given for the owner. */
const NO_SUCH_NAME = 'app.user.get_by_username.app_error';

/** The webhook is saved, but may not be unlocked by the user. */
export class StillLocked extends Error {
  constructor() {
    super('The rest is saved. It posts to this channel only, still: you may not change that.');
  }
}

/** The field that a refusal is about which does not name it. */
export function hookRefusal(error: Error): Explanation | undefined {
  if (error instanceof StillLocked) return { field: 'channel_locked' };
  return error instanceof ApiError && error.id === NO_SUCH_NAME ? { field: 'user_id' } : undefined;
}
