import type { Logger } from '@nestjs/common';
import type { AttemptResult, SettledAttempt } from '../../delivery/dispatch/delivery-kind.js';
import { visible } from '../../platform/common/visible.js';
import { frameOf } from '../peer/frame.js';

/** The prefix of an attempt's note if the peer has refused the message. */
export const REFUSED = 'The peer refused: ';

/** Why a peer did not accept a message, for users: the peer's reason, or the error of the call. */
export function attemptText({ statusCode, errorClass, note }: AttemptResult): string {
  if (note.startsWith(REFUSED)) return visible(note);
  return visible([errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': '));
}

/** Logs once when a peer stops accepting messages, and once when it accepts them again. */
export class PeerMessageLog {
  /** Row ids of connections whose last message was not accepted. */
  private readonly failing = new Set<string>();

  constructor(private readonly logger: Logger) {}

  settled({ delivery: { id, ownerId, body }, result, statusCode, errorClass, note }: SettledAttempt): void {
    const { remoteId, topic } = frameOf(body);
    const answer = [errorClass || `HTTP ${statusCode}`, note].filter((part) => part !== '').join(': ');
    if (result === 'failed') {
      this.logger.warn(
        `The peer of the connection ${remoteId} refused a message of the topic ${topic} for good (${answer}); delivery ${id}.`,
      );
    } else if (result === 'retrying') {
      // A peer that refuses one message may still accept others.
      if (this.failing.has(ownerId) || note.startsWith(REFUSED)) return;
      this.failing.add(ownerId);
      this.logger.warn(
        `The peer of the connection ${remoteId} takes no messages (${answer}); they wait, and are sent again.`,
      );
    } else if (this.failing.delete(ownerId)) {
      this.logger.log(`The peer of the connection ${remoteId} takes messages again.`);
    }
  }

  forget(rowId: string): void {
    this.failing.delete(rowId);
  }
}
