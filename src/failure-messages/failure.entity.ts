import { Entity } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  IntColumn,
  PrimaryIdColumn,
  PrimaryTextColumn,
} from '../platform/database/columns.js';

/** Something that has failed and has not healed, and whom the server has told of it. */
@Entity('failures')
export class Failure {
  /** The webhook, or the row of the connection. */
  @PrimaryIdColumn() subjectId: string;
  /** The origin of the callback URL; empty for a connection. */
  @PrimaryTextColumn(300) endpoint: string;
  @IdColumn() userId: string;
  /** How far it has come: nothing is told twice of the same stage. */
  @IntColumn() stage: number;
  @BigColumn() toldAt: number;
}
