import { Entity } from 'typeorm';
import { PrimaryTextColumn } from '../../platform/database/columns.js';

/** A permission that the built-in roles were granted once. What an administrator took away since is not granted again. */
@Entity('granted_permissions')
export class GrantedPermission {
  @PrimaryTextColumn(64) permission: string;
}
