import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, PrimaryIdColumn, TextColumn } from '../platform/database/columns.js';

/** A sample gizmo of a team. Deleted ones are kept, and never found. */
@Entity('sample_gizmos')
@Index('ix_sample_gizmos_team', ['teamId', 'createAt', 'id'])
export class SampleGizmo {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() teamId: string;
  @IdColumn() creatorId: string;
  @TextColumn(64) displayName: string;
}
