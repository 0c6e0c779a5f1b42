import type { Explanation } from '../../parts/form';

/** The webhook was saved, but the user may not unlock it. */
export class StillLocked extends Error {
  constructor() {
    super(
      'Everything else was saved. The webhook still posts to this channel only; you may not change that.',
    );
  }
}

/** The field for a refusal that does not name one. */
export function hookRefusal(error: Error): Explanation | undefined {
  return error instanceof StillLocked ? { field: 'channel_locked' } : undefined;
}
