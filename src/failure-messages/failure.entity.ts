import { Entity } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  IntColumn,
  PrimaryIdColumn,
  PrimaryTextColumn,
} from '../platform/database/columns.js';

/** An open failure, and the user who was notified of it. */
@Entity('failures')
export class Failure {
  /** The webhook id, or the row id of the connection. */
  @PrimaryIdColumn() subjectId: string;
  /** The origin of the callback URL; empty for a connection. */
  @PrimaryTextColumn(300) endpoint: string;
  @IdColumn() userId: string;
  /** The stage of the failure; each stage is reported once. */
  @IntColumn() stage: number;
  @BigColumn() toldAt: number;
}
