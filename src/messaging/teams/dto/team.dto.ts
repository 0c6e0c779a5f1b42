import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Team } from '../team.entity.js';
import { IdParam, PathParam } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isTeamName } from '../team.rules.js';
import { definedOnly } from '../../../platform/common/defined-only.js';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  NameField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import type { NewTeam, TeamChange } from '../teams.service.js';

/** A team in API responses (docs/contract/messaging.md#teams). */
export class TeamDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Time of archiving; 0: not archived.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'Core team' }) display_name: string;
  @ApiProperty({ example: 'core' }) name: string;
  @ApiProperty({ example: '' }) description: string;
  @ApiProperty({
    description: 'The e-mail address of the creator; empty without `manage_team`.',
    example: 'anna@example.com',
  })
  email: string;
  @ApiProperty({ description: '`O` open or `I` by invitation.', enum: ['O', 'I'], example: 'O' })
  type: string;
  @ApiProperty({ example: '' }) company_name: string;
  @ApiProperty({ description: 'E-mail domains that can join; empty allows all.', example: '' })
  allowed_domains: string;
  @ApiProperty({ description: 'Empty without `invite_user`.', example: 'm5jtr4cq9bnmx8w1exk7d3azno' })
  invite_id: string;
  @ApiProperty({ description: 'Anyone can see and join the team.', example: false })
  allow_open_invite: boolean;
  @ApiProperty({ type: String, nullable: true, example: null }) scheme_id: string | null;
  @ApiProperty({ type: Boolean, nullable: true, example: null }) group_constrained: boolean | null;
  @ApiProperty({ type: String, nullable: true, example: null }) policy_id: string | null;
  @ApiProperty({ example: false }) cloud_limits_archived: boolean;

  static from(team: Team): TeamDto {
    return {
      id: team.id,
      create_at: team.createAt,
      update_at: team.updateAt,
      delete_at: team.deleteAt,
      display_name: team.displayName,
      name: team.name,
      description: team.description,
      email: team.email,
      type: team.type,
      company_name: team.companyName,
      allowed_domains: team.allowedDomains,
      invite_id: team.inviteId,
      allow_open_invite: team.allowOpenInvite,
      scheme_id: null,
      group_constrained: null,
      policy_id: null,
      cloud_limits_archived: false,
    };
  }
}

/** A page of teams with the total count. */
export class TeamsWithCountDto {
  @ApiProperty({ type: [TeamDto] }) teams: TeamDto[];
  @ApiProperty({ example: 1 }) total_count: number;
}

export class TeamExistsDto {
  @ApiProperty({
    description: 'False if the team does not exist or the caller cannot see it.',
    example: true,
  })
  exists: boolean;
}

/** The team fields that a sign-up page shows. */
export class TeamInviteDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 'core' }) name: string;
  @ApiProperty({ example: 'Core team' }) display_name: string;
  @ApiProperty({ example: '' }) description: string;

  static from({ id, name, displayName, description }: Team): TeamInviteDto {
    return { id, name, display_name: displayName, description };
  }
}

export class TeamStatsDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) team_id: string;
  @ApiProperty({ example: 12 }) total_member_count: number;
  @ApiProperty({ description: 'Members whose account is not deactivated.', example: 11 })
  active_member_count: number;
}

/** The name of a team in the path. */
export const TeamNameParam = (): ParameterDecorator =>
  PathParam(
    'team_name',
    {
      description: 'The name of the team.',
      example: 'main',
      schema: { type: 'string', minLength: 2, maxLength: 64 },
    },
    (value) => {
      const name = value.trim().toLowerCase();
      if (isTeamName(name)) return name;
      throw new InvalidUrlParam('team_name', 'it is not a valid team name');
    },
  );

/** The id of a team in the path. */
export const TeamIdParam = (): ParameterDecorator => IdParam('team_id', 'The team.');

/** The user-editable fields of a team. */
@BodyName('team')
class TeamFieldsDto {
  @NameField({ description: 'Display name.', example: 'Core team', maxLength: 64 })
  display_name?: string;
  @StringField({ description: 'Description.', example: '', maxLength: 255 }) description?: string;
  @StringField({ description: 'Company.', example: '', maxLength: 64 }) company_name?: string;
  @StringField({
    description: 'E-mail domains that can join, separated by commas.',
    example: '',
    maxLength: 500,
  })
  allowed_domains?: string;
  @BooleanField({ description: 'Anyone can see and join the team.', example: false })
  allow_open_invite?: boolean;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
  @UnsupportedField('permissions come from roles') scheme_id?: unknown;
}

export class CreateTeamDto extends TeamFieldsDto {
  @ShownAsRequired() override display_name: string = '';
  override description = '';
  override company_name = '';
  override allowed_domains = '';
  @ApiPropertyOptional({ type: Boolean, default: false }) override allow_open_invite = false;
  @ShownAsRequired()
  @StringField({
    description: 'Name in URLs: 2 to 64 of a-z, 0-9 and hyphen.',
    example: 'core',
    maxLength: 64,
  })
  name = '';
  @ShownAsRequired()
  @StringField({ description: '`O` open or `I` by invitation.', example: 'O', enum: ['O', 'I'] })
  type = '';
  @StringField({ description: 'Not accepted: the server assigns the id.', example: '' }) id = '';
  @StringField({
    description: "Ignored: the creator's e-mail address is used.",
    example: 'anna@example.com',
    atMost: 1024,
  })
  email = '';
}

/** The body of `PUT`; omitted fields stay unchanged. */
export class UpdateTeamDto extends TeamFieldsDto {
  @ShownAsRequired()
  @IdField({ description: 'The id of the team, the same as in the path.' })
  id = '';
}

/** The body of `PUT …/patch`; omitted fields stay unchanged. */
export class PatchTeamDto extends TeamFieldsDto {}

@BodyName('privacy')
export class TeamPrivacyDto {
  @ShownAsRequired()
  @StringField({
    description: '`O` makes the team open to everyone, `I` makes it invite-only.',
    example: 'O',
    enum: ['O', 'I'],
  })
  privacy = '';
}

@BodyName('team_search')
export class SearchTeamsDto {
  @StringField({ description: 'Part of a name or display name; empty finds all.', example: 'core' })
  term = '';
  @IntegerField({
    description: 'With `per_page`: the page; the response then contains the total.',
    example: 0,
  })
  page?: number;
  @IntegerField({ description: 'Teams per page, at most 200.', example: 60 }) per_page?: number;
  @UnsupportedField('both open and closed teams are found') allow_open_invite?: unknown;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
  @UnsupportedField('there are no retention policies') policy_id?: unknown;
}

/** Maps a change to the field names of the record. */
export function teamChangeOf(body: TeamFieldsDto): TeamChange {
  return definedOnly({
    displayName: body.display_name,
    description: body.description,
    companyName: body.company_name,
    allowedDomains: body.allowed_domains,
    allowOpenInvite: body.allow_open_invite,
  });
}

export function newTeamOf({ display_name: displayName, name, type, email, ...body }: CreateTeamDto): NewTeam {
  return { ...teamChangeOf(body), displayName, name, type, email };
}
