import type { JsonObject } from '../../../platform/common/json.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import type { CreatedPost } from '../posts.events.js';

/** A post before it gets an id, a time and a sequence number. */
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
  /** Defaults to the current time. */
  readonly createAt?: number;
  /** For a post created on another server: it keeps its id, and is stored once. */
  readonly origin?: { readonly id: string; readonly remoteId: string; readonly editAt: number };
  /** The members whose mention counters increase. */
  readonly mentions?: Mentions;
}

/** The users mentioned by a post; `everyone` means all members of the channel except the author. */
export interface Mentions {
  readonly userIds: readonly string[];
  readonly everyone: boolean;
}

/** Posts that are stored in one transaction. */
export interface WriteRequest {
  readonly drafts: readonly PostDraft[];
  readonly origin: CreatedPost['origin'];
  readonly setOnline?: boolean;
  /** The rows to insert in the transaction of the posts. Called when the ids are known. */
  readonly companions?: (postIds: readonly string[]) => readonly RowsToInsert[];
  /** Further statements of the transaction of the posts. If one fails, nothing is stored. */
  readonly statements?: (postIds: readonly string[]) => readonly Statement[];
  /** The approximate size of the request, by which the size of a commit is limited. */
  readonly sizeBytes?: number;
}
