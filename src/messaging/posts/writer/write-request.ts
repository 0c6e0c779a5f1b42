import type { JsonObject } from '../../../platform/common/json.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { CreatedPost } from '../events/posts-created.event.js';

/** A post before it has an id, a time and a place in the order. */
export interface PostDraft {
  readonly userId: string;
  readonly channelId: string;
  readonly message: string;
  readonly type?: string;
  readonly props?: JsonObject;
  readonly rootId?: string;
  readonly hashtags?: string;
  readonly metadata?: JsonObject;
  readonly pendingPostId?: string;
  /** A time of the caller's choice; the writer's clock otherwise. */
  readonly createAt?: number;
  /** It was made on another server, and keeps the id it has there; stored once. */
  readonly origin?: { readonly id: string; readonly remoteId: string; readonly editAt: number };
  /** Whose mention counters rise. */
  readonly mentions?: Mentions;
}

/** `everyone`: all members of the channel but the author. */
export interface Mentions {
  readonly userIds: readonly string[];
  readonly everyone: boolean;
}

/**
 * What must be written if and only if the posts are: committed with them, and failing with them. `write` decides by itself, and may refuse by throwing; the
 * posts are stored by then.
 */
export type Companion = RowsToInsert | { readonly write: (transaction: Transaction) => Promise<void> };

/** Posts that are stored together or not at all. */
export interface WriteRequest {
  readonly drafts: readonly PostDraft[];
  readonly origin: CreatedPost['origin'];
  readonly setOnline?: boolean;
  /** Made once the ids are known. */
  readonly companions?: (postIds: readonly string[]) => readonly Companion[];
  /** About how many bytes it takes, so that a commit stays within what the database takes at once. */
  readonly sizeBytes?: number;
}
