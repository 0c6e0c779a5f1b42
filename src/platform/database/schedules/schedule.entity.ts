import { Entity } from 'typeorm';
import { BigColumn, IdColumn, PrimaryTextColumn } from '../columns.js';

/** When scheduled work is due next, where several processes serve one database. */
@Entity('schedules')
export class ScheduleRow {
  @PrimaryTextColumn(64) name: string;
  @BigColumn() nextAt: number;
  /** The process that did the last run. */
  @IdColumn() runner: string;
}
