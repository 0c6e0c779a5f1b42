import { Entity } from 'typeorm';
import { BigColumn, BytesColumn, IntColumn, PrimaryIdColumn } from '../../../platform/database/columns.js';

/**
 * The messages of neighbouring posts of a channel, folded and packed, so that a search reads them together
 * (docs/decisions/0046-search-blocks.md). It covers the posts from `fromSeq` to before `toSeq`.
 */
@Entity('post_search_blocks')
export class PostSearchBlock {
  @PrimaryIdColumn() channelId: string;
  @BigColumn({ primary: true }) fromSeq: number;
  @BigColumn() toSeq: number;
  /** How many rows of posts were there. If there are more or fewer now, the block does not count. */
  @IntColumn() posts: number;
  @BytesColumn() authors: Buffer;
  @BytesColumn() entries: Buffer;
  @BytesColumn() messages: Buffer;
}
