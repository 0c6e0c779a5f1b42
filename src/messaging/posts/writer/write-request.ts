import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../platform/common/json.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';
import type { Statement } from '../../../platform/database/statement.js';
import type { CreatedPost } from '../posts.events.js';
import type { Post } from '../post.entity.js';

/** A post before it is assigned an ID, a time and a sequence number. */
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
  readonly createAt?: number;
  /** For a post created on another server: it keeps its ID and is stored once. */
  readonly origin?: { readonly id: string; readonly remoteId: string; readonly editAt: number };
  /** The members whose mention counters are incremented. */
  readonly mentions?: Mentions | undefined;
  /** The program that may change the post later. */
  readonly sourceId?: string;
}

/** The users mentioned in a post. `everyone` means all channel members except the author. */
export interface Mentions {
  readonly userIds: readonly string[];
  readonly everyone: boolean;
}

/** Posts to store in one transaction. */
export interface WriteRequest {
  readonly drafts: readonly PostDraft[];
  readonly origin: CreatedPost['origin'];
  readonly setOnline?: boolean;
  /** Returns rows to insert in the same transaction. Called when the post IDs are known. */
  readonly companions?: (postIds: readonly string[]) => readonly RowsToInsert[];
  /** Returns more statements for the same transaction. If one fails, nothing is stored. */
  readonly statements?: (postIds: readonly string[]) => readonly Statement[];
  /** For a reply of a receiver: how many replies in a row have led to it, with this one. */
  readonly hops?: number;
  /** Approximate size of the request, used to limit the size of a commit. */
  readonly sizeBytes?: number;
}

const ROW_BYTES = 512;

/** Returns the approximate total size of the drafts in bytes, at three bytes per character. */
export function sizeOfDrafts(drafts: readonly Pick<PostDraft, 'message' | 'props'>[]): number {
  return drafts.reduce(
    (sum, { message, props }) => sum + sizeOf(message, JSON.stringify(props ?? {}).length),
    0,
  );
}

/** Like sizeOfDrafts, for one draft, given the length of its props as JSON. */
export function sizeOf(message: string, propsLength: number): number {
  return ROW_BYTES + 3 * (message.length + propsLength);
}

/** A post to insert and its effect on counters. */
export interface PendingRow {
  readonly post: Post;
  readonly mentions: Mentions | undefined;
  /** Whether the post marks the channel as read by its author. */
  readonly marksViewed: boolean;
  /** Whether the post has the current time and comes last in its channel. */
  readonly isNow: boolean;
}

/**
 * Returns the rows to insert in the transaction of new posts. Called before the transaction begins; if it
 * throws, the posts are not stored.
 */
export type CompanionSource = (created: readonly CreatedPost[]) => Promise<readonly RowsToInsert[]>;

/** Registry of sources that add rows to post commits. */
@Injectable()
export class PostCompanions {
  private readonly sources: CompanionSource[] = [];

  register(source: CompanionSource): void {
    this.sources.push(source);
  }

  async of(created: readonly CreatedPost[]): Promise<readonly RowsToInsert[]> {
    return (await Promise.all(this.sources.map((source) => source(created)))).flat();
  }
}
