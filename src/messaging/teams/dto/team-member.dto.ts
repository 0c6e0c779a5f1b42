import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ErrorDto } from '../../../platform/common/dto/operation.js';
import { effectiveRoles } from '../../permissions/permissions.service.js';
import type { TeamMember } from '../team-member.entity.js';
import type { BatchResult } from '../team-members.service.js';

/** A membership in a team as it leaves the server (docs/contract/messaging.md#team-members). */
export class TeamMemberDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ description: 'All roles, those of the scheme included.', example: 'team_user' })
  roles: string;
  @ApiProperty({ description: 'Above 0: left since.', example: 0 }) delete_at: number;
  @ApiProperty({ example: false }) scheme_guest: boolean;
  @ApiProperty({ example: true }) scheme_user: boolean;
  @ApiProperty({ example: false }) scheme_admin: boolean;
  @ApiProperty({ description: 'Roles beyond those of the scheme.', example: '' }) explicit_roles: string;

  static from(member: TeamMember): TeamMemberDto {
    return {
      team_id: member.teamId,
      user_id: member.userId,
      roles: effectiveRoles('team', member).join(' '),
      delete_at: member.deleteAt,
      scheme_guest: member.schemeGuest,
      scheme_user: member.schemeUser,
      scheme_admin: member.schemeAdmin,
      explicit_roles: member.explicitRoles,
    };
  }
}

/** Why one user of a graceful batch was not added. */
export class BatchErrorDto extends OmitType(ErrorDto, ['request_id']) {}

/** What became of one user of a graceful batch. */
export class TeamMemberResultDto {
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ type: TeamMemberDto, nullable: true }) member: TeamMemberDto | null;
  @ApiProperty({ type: BatchErrorDto, nullable: true }) error: BatchErrorDto | null;

  static from({ userId, member, error }: BatchResult): TeamMemberResultDto {
    return {
      user_id: userId,
      member: member && TeamMemberDto.from(member),
      error: error && { id: error.id, message: error.message, detailed_error: '', status_code: error.status },
    };
  }
}
