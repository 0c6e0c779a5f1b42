import { ApiProperty } from '@nestjs/swagger';
import { BodyName, StringListField } from '../../platform/common/dto/fields.js';
import type { Role } from './role.entity.js';

/** A role in API responses. */
export class RoleDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'team_user' }) name: string;
  @ApiProperty({ example: 'team user' }) display_name: string;
  @ApiProperty({ example: '' }) description: string;
  @ApiProperty({ example: 1767225600000 }) create_at: number;
  @ApiProperty({ example: 1767225600000 }) update_at: number;
  @ApiProperty({ example: 0 }) delete_at: number;
  @ApiProperty({ type: [String], example: ['view_team'] }) permissions: string[];
  @ApiProperty({ example: true }) scheme_managed: boolean;
  @ApiProperty({ example: true }) built_in: boolean;

  static from(role: Role): RoleDto {
    return {
      id: role.id,
      name: role.name,
      display_name: role.displayName,
      description: role.description,
      create_at: role.createAt,
      update_at: role.updateAt,
      delete_at: role.deleteAt,
      permissions: role.permissions,
      scheme_managed: role.schemeManaged,
      built_in: role.builtIn,
    };
  }
}

@BodyName('role')
export class PatchRoleDto {
  @StringListField({
    required: true,
    description: 'The new permissions of the role.',
    example: ['view_team', 'manage_webhooks'],
  })
  permissions: string[];
}
