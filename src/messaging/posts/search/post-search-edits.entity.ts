import { Entity } from 'typeorm';
import { BigColumn, PrimaryIdColumn } from '../../../platform/database/columns.js';

/** Counts the edits of a channel's messages. Its row is locked by who edits one, and by who stores a block of them. */
@Entity('post_search_edits')
export class PostSearchEdits {
  @PrimaryIdColumn() channelId: string;
  @BigColumn() edits: number;
}
