import { Bus } from '../../src/platform/scaling/bus.js';
import { SharedCounts } from '../../src/platform/scaling/shared-counts.js';
import type { SecretBox } from '../../src/platform/secrets/secret-box.js';

/** The counts of a single process. */
export function sharedCountsOfOne(): SharedCounts {
  return new SharedCounts(new Bus(), {} as SecretBox);
}
