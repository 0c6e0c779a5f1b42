import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  JsonColumn,
  LongTextColumn,
  PrimaryIdColumn,
  PrimaryTextColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/** A named set of permissions; roles are rows and can be edited (docs/contract/messaging.md#roles). */
@Entity('roles')
@Index('ux_roles_name', ['name'], { unique: true })
export class Role {
  @PrimaryIdColumn() id: string;
  @TextColumn(64) name: string;
  @TextColumn(128) displayName: string;
  @LongTextColumn() description: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @JsonColumn() permissions: string[];
  @BooleanColumn() schemeManaged: boolean;
  @BooleanColumn() builtIn: boolean;
}

/** A permission that was granted to the built-in roles. It is not granted again after an administrator removes it. */
@Entity('granted_permissions')
export class GrantedPermission {
  @PrimaryTextColumn(64) permission: string;
}
