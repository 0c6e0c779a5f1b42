import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  PrimaryIdColumn,
  SearchedTextColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/**
 * A post (docs/contract/messaging.md#posts). Old versions of an edited post are rows with `originalId` and
 * `deleteAt` set.
 */
@Entity('posts')
@Index('ix_posts_channel_order', ['channelId', 'seq', 'id', 'deleteAt', 'rootId', 'originalId'])
@Index('ix_posts_channel_update', ['channelId', 'updateAt'])
@Index('ix_posts_root_seq', ['rootId', 'seq'])
@Index('ix_posts_message', { synchronize: false }) // a full-text index, which SQLite keeps in post_search
@Index('ix_posts_channel_pinned', ['channelId', 'isPinned', 'seq'], { where: 'is_pinned = 1' })
export class Post {
  @PrimaryIdColumn() id: string;
  /** Sort key: milliseconds × 2048 + counter (docs/decisions/0009-order-by-sequence.md). */
  @BigColumn() seq: number;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() editAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() userId: string;
  @IdColumn() channelId: string;
  /** Empty for thread roots. */
  @IdColumn() rootId: string;
  @IdColumn() originalId: string;
  @SearchedTextColumn() message: string;
  @TextColumn(26) type: string;
  @JsonColumn() props: Record<string, unknown>;
  @TextColumn(1000) hashtags: string;
  @BooleanColumn() isPinned: boolean;
  @TextColumn(128) pendingPostId: string;
  @JsonColumn() metadata: Record<string, unknown>;
  /** Stored on the thread root; PostsRepository.withThreadSizes copies it to replies. */
  @IntColumn() replyCount: number;
  @BigColumn() lastReplyAt: number;
  /** The connection the post was received from; empty for local posts. */
  @IdColumn({ default: '' }) remoteId: string;
  /** The program that posted it, such as an incoming webhook, and may change it; empty for other posts. */
  @IdColumn({ default: '' }) sourceId: string;
}
