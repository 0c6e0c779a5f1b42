import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { PipeTransform } from '@nestjs/common';
import { ErrorDto } from '../../../platform/common/dto/operation.js';
import { effectiveRoles } from '../../permissions/permissions.service.js';
import type { SchemeFlags } from '../member-roles.js';
import type { TeamMember } from '../team-member.entity.js';
import { BodyPipe, decodeBody } from '../../../platform/common/dto/body.pipe.js';
import {
  BodyName,
  BooleanField,
  IdField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import { noteReceived } from '../../../platform/common/dto/unknown-fields.js';
import type { AppError } from '../../../platform/common/errors/app-error.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';
import { foldKeys, isJsonObject } from '../../../platform/common/json.js';
import { invalidTeamMemberBody } from '../teams.errors.js';

/** A team membership in API responses (docs/contract/messaging.md#team-members). */
export class TeamMemberDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ description: 'All roles, including those of the scheme.', example: 'team_user' })
  roles: string;
  @ApiProperty({ description: 'Time of leaving; 0: still a member.', example: 0 }) delete_at: number;
  @ApiProperty({ example: false }) scheme_guest: boolean;
  @ApiProperty({ example: true }) scheme_user: boolean;
  @ApiProperty({ example: false }) scheme_admin: boolean;
  @ApiProperty({ description: 'Roles in addition to those of the scheme.', example: '' })
  explicit_roles: string;

  static from(member: TeamMember): TeamMemberDto {
    return {
      team_id: member.teamId,
      user_id: member.userId,
      roles: effectiveRoles('team', member).join(' '),
      delete_at: member.deleteAt,
      scheme_guest: false,
      scheme_user: member.schemeUser,
      scheme_admin: member.schemeAdmin,
      explicit_roles: member.explicitRoles,
    };
  }
}

/** Why one user of a graceful batch was not added. */
class BatchErrorDto extends OmitType(ErrorDto, ['request_id']) {}

/** The result for one user of a graceful batch. */
export class TeamMemberResultDto {
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ type: TeamMemberDto, nullable: true }) member: TeamMemberDto | null;
  @ApiProperty({ type: BatchErrorDto, nullable: true }) error: BatchErrorDto | null;

  static from(userId: string, member: TeamMember | null, error: AppError | null): TeamMemberResultDto {
    return {
      user_id: userId,
      member: member && TeamMemberDto.from(member),
      error: error && { id: error.id, message: error.message, detailed_error: '', status_code: error.status },
    };
  }
}

const MAX_BATCH = 256;

export class AddTeamMemberDto {
  @ShownAsRequired() @IdField({ description: 'The team, the same as in the path.' }) team_id = '';
  @ShownAsRequired()
  @IdField({ description: 'The user to add.', example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' })
  user_id = '';
}

@BodyName('roles')
export class MemberRolesDto {
  @StringField({
    required: true,
    description: 'The new list of all roles, separated by spaces.',
    example: 'team_user team_admin',
    maxLength: 256,
  })
  roles: string;
}

@BodyName('scheme_roles')
export class SchemeRolesDto {
  @UnsupportedField('there are no guests') scheme_guest?: unknown;
  @BooleanField({ required: true, description: 'An ordinary member.', example: true, default: false })
  scheme_user = false;
  @BooleanField({ required: true, description: 'An administrator here.', example: true, default: false })
  scheme_admin = false;
}

/** Maps the flags of a request to the field names of the record. */
export function schemeFlagsOf(body: SchemeRolesDto): SchemeFlags {
  return { schemeUser: body.scheme_user, schemeAdmin: body.scheme_admin };
}

/** The body of an added member; an unreadable body has a separate error id. */
export class TeamMemberBody implements PipeTransform {
  private readonly pipe = new BodyPipe();

  transform(value: unknown): AddTeamMemberDto {
    try {
      return this.pipe.transform(value, { type: 'body', metatype: AddTeamMemberDto }) as AddTeamMemberDto;
    } catch (error) {
      throw error instanceof InvalidBodyParam ? invalidTeamMemberBody(error.message) : error;
    }
  }
}

/** A body that lists members of one team; items are validated once the team is known. */
export class TeamMembersBody implements PipeTransform {
  private readonly member = new TeamMemberBody();

  transform(value: unknown): AddTeamMemberDto[] {
    const list = Buffer.isBuffer(value) ? decodeBody(value, 'members') : value;
    if (!Array.isArray(list)) throw new InvalidBodyParam('members', 'it must be a list of members');
    if (list.length === 0 || list.length > MAX_BATCH)
      throw new InvalidBodyParam('members', `it must have 1 to ${MAX_BATCH} items`);
    const members = list.map((item: unknown) => {
      if (!isJsonObject(item)) throw new InvalidBodyParam('members', 'it must be a list of members');
      const { team_id, user_id } = foldKeys(item);
      if (typeof team_id !== 'string') throw new InvalidBodyParam('team_id', 'it must be a string');
      if (typeof user_id !== 'string') throw new InvalidBodyParam('user_id', 'it must be a string');
      return { team_id, user_id };
    });
    return noteReceived(value, members);
  }
}

/** The user id of an added member; throws InvalidBodyParam if the body names another team. */
export function memberUserId(teamId: string, body: AddTeamMemberDto): string {
  if (body.team_id !== teamId) throw new InvalidBodyParam('team_id', 'it must be the team of the path');
  if (!isId(body.user_id)) throw new InvalidBodyParam('user_id', 'it must be 26 letters and digits');
  return body.user_id;
}
