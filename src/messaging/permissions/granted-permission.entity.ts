import { Entity } from 'typeorm';
import { PrimaryTextColumn } from '../../platform/database/columns.js';

/** A permission that was granted to the built-in roles. It is not granted again after an administrator removes it. */
@Entity('granted_permissions')
export class GrantedPermission {
  @PrimaryTextColumn(64) permission: string;
}
