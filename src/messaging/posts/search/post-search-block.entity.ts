import { Entity } from 'typeorm';
import { BigColumn, BytesColumn, IntColumn, PrimaryIdColumn } from '../../../platform/database/columns.js';

/**
 * The messages of consecutive posts of a channel, case-folded and packed so that a search reads them together
 * (docs/decisions/0046-search-blocks.md). Covers posts from `fromSeq` up to, but not including, `toSeq`.
 */
@Entity('post_search_blocks')
export class PostSearchBlock {
  @PrimaryIdColumn() channelId: string;
  @BigColumn({ primary: true }) fromSeq: number;
  @BigColumn() toSeq: number;
  /** Number of post rows when packed. The block is valid only while this number is unchanged. */
  @IntColumn() posts: number;
  @BytesColumn() authors: Buffer;
  @BytesColumn() entries: Buffer;
  @BytesColumn() messages: Buffer;
}

/** Counts message edits per channel. Edits and block writes lock the channel's row. */
@Entity('post_search_edits')
export class PostSearchEdits {
  @PrimaryIdColumn() channelId: string;
  @BigColumn() edits: number;
}
