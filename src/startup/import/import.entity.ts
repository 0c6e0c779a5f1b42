import { Entity } from 'typeorm';
import { BigColumn, IdColumn, JsonColumn, PrimaryTextColumn } from '../../platform/database/columns.js';
import type { Finding } from './findings.js';

/** The progress of an import from another server, so that it can be continued and repeated. */
@Entity('imports')
export class Import {
  /** The database that is read, without credentials. */
  @PrimaryTextColumn(255) source: string;
  @BigColumn() startedAt: number;
  /** When the last complete run began; 0 if none was. */
  @BigColumn() finishedAt: number;
  /** How far posts are imported: the time of the last change, and the post. */
  @BigColumn() cursorTime: number;
  @IdColumn() cursorId: string;
  @BigColumn() postsRead: number;
  @BigColumn() postsMoved: number;
  /** Posts that are not imported, and what was noted about others. */
  @JsonColumn() leftOut: readonly Finding[];
  @JsonColumn() notes: readonly Finding[];
}
