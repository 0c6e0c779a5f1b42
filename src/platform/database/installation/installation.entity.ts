import { Entity } from 'typeorm';
import { BigColumn, PrimaryIdColumn, TextColumn } from '../columns.js';

/** The single row that identifies a database: its id, and the keys that its sealed texts need. */
@Entity('installation')
export class InstallationRow {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  /** The ids of the keys that may have sealed texts, separated by spaces. */
  @TextColumn(255) keyIds: string;
}
