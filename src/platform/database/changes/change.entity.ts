import { Entity } from 'typeorm';
import type { JsonObject } from '../../common/json.js';
import { IdColumn, JsonColumn, PrimaryBigColumn, TextColumn } from '../columns.js';

/** A change that other processes must hear of. Kept for some minutes; written only if processes share the database. */
@Entity('changes')
export class ChangeRow {
  /** The order in which they were written, by `Sequence`. */
  @PrimaryBigColumn() seq: number;
  /** The process that made it. */
  @IdColumn() origin: string;
  @TextColumn(64) topic: string;
  @JsonColumn() body: JsonObject;
}
