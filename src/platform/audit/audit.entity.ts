import { Entity, Index } from 'typeorm';
import { BigColumn, IdColumn, IntColumn, PrimaryIdColumn, TextColumn } from '../database/columns.js';

/**
 * One administrative change, or the attempt at one: who, what, on what, how it ended
 * (docs/contract/conventions.md#audit).
 */
@Entity('audits')
@Index('ix_audits_create', ['createAt', 'id'])
export class Audit {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  /** Empty when nobody was signed in, or in local mode. */
  @IdColumn() userId: string;
  @TextColumn(64) action: string;
  @TextColumn(128) target: string;
  @TextColumn(16) result: string;
  @IntColumn() status: number;
  @TextColumn(128) errorId: string;
  @IdColumn() requestId: string;
  @TextColumn(64) address: string;
  /** What is kept of the call: a JSON object, or empty. Never secrets. */
  @TextColumn(1000, { default: '' }) parameters: string;
}
