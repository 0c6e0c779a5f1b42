import type { Explanation } from '../../parts/form';
import { ownerRefusal } from '../../parts/owner-of';

/** The webhook is saved, but may not be unlocked by the user. */
export class StillLocked extends Error {
  constructor() {
    super(
      'Everything else was saved. The webhook still posts to this channel only; you may not change that.',
    );
  }
}

/** The field that a refusal is about which does not name it. */
export function hookRefusal(error: Error): Explanation | undefined {
  return error instanceof StillLocked ? { field: 'channel_locked' } : ownerRefusal(error, 'user_id');
}
