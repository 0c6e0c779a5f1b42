import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, PrimaryIdColumn, TextColumn } from '../platform/database/columns.js';

/** A text that an incoming webhook posts at a given time. Deleted rows are kept. */
@Entity('hook_schedules')
@Index('ix_hook_schedules_team', ['teamId', 'createAt', 'id'])
@Index('ix_hook_schedules_hook', ['hookId'])
@Index('ix_hook_schedules_due', ['postedAt', 'postAt'])
export class HookSchedule {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @IdColumn() teamId: string;
  @IdColumn() creatorId: string;
  @TextColumn(64) displayName: string;
  @IdColumn() hookId: string;
  @TextColumn(4_000) text: string;
  @BigColumn() postAt: number;
  /** 0 until it is posted. */
  @BigColumn() postedAt: number;
}
