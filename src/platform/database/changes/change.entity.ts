import { Entity } from 'typeorm';
import type { JsonObject } from '../../common/json.js';
import { IdColumn, JsonColumn, PrimaryBigColumn, TextColumn } from '../columns.js';

/** A change announced to other processes. Kept for some minutes; written only if the database is shared. */
@Entity('changes')
export class ChangeRow {
  /** The order in which changes were written, by `Sequence`. */
  @PrimaryBigColumn() seq: number;
  /** The process that made the change. */
  @IdColumn() origin: string;
  @TextColumn(64) topic: string;
  @JsonColumn() body: JsonObject;
}
