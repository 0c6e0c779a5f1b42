import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, IntColumn, PrimaryIdColumn, TextColumn } from '../database/columns.js';

/** Who did what to which target, and the result (docs/contract/conventions.md#audit). */
@Entity('audits')
@Index('ix_audits_create', ['createAt', 'id'])
@Index('ix_audits_user', ['userId', 'createAt', 'id'])
@Index('ix_audits_action', ['action', 'createAt', 'id'])
@Index('ix_audits_result', ['result', 'createAt', 'id'])
export class Audit {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  /** Empty for requests without a session, and in local mode. */
  @IdColumn() userId: string;
  @TextColumn(64) action: string;
  @TextColumn(128) target: string;
  @TextColumn(16) result: string;
  @IntColumn() status: number;
  @TextColumn(128) errorId: string;
  @IdColumn() requestId: string;
  @TextColumn(64) address: string;
  /** Recorded values of the request and its result: a JSON object, or empty. Never secrets. */
  @TextColumn(1000, { default: '' }) parameters: string;
  /** For a call on many records, their first ids and their number: a JSON object, or empty. */
  @TextColumn(3_200, { default: '' }) affected: string;
  /** How many additional refused calls of the caller the row represents. */
  @BigColumn({ default: 0 }) repeats: number;
}
