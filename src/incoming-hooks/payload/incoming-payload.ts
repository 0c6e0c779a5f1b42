import type { JsonObject } from '../../common/json.js';
import type { Attachment } from '../../posts/content/attachments.js';

/** What a sender asked an incoming hook to post, whatever form it came in (spec/webhooks.md 11.2). */
export interface IncomingPayload {
  /** Texts that were not sent are empty. */
  readonly text: string;
  readonly channel: string;
  readonly username: string;
  readonly iconUrl: string;
  readonly iconEmoji: string;
  readonly type: string;
  /** Normalised; undefined when none is left. */
  readonly attachments: Attachment[] | undefined;
  readonly props: JsonObject | undefined;
  readonly priority?: IncomingPriority;
}

/** As sent; the names are the wire's, because it is stored and shown like this. */
export interface IncomingPriority {
  readonly priority?: string;
  readonly requested_ack?: boolean;
  readonly persistent_notifications?: boolean;
}
