import type { AttemptResult } from '../../delivery/dispatch/delivery-kind.js';
import { visible } from '../../platform/common/visible.js';

/** How the note of an attempt starts whose message the peer has refused. */
export const REFUSED = 'The peer refused: ';

/** Why a peer has not taken a message, for people: what the peer said, or what became of the call. */
export function attemptText({ statusCode, errorClass, note }: AttemptResult): string {
  if (note.startsWith(REFUSED)) return visible(note);
  return visible([errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': '));
}
