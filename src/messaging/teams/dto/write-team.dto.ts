import { ApiPropertyOptional } from '@nestjs/swagger';
import { definedOnly } from '../../../platform/common/defined-only.js';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  ShownAsRequired,
  NameField,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import type { NewTeam, TeamChange } from '../team-records.js';

/** The fields of a team that people choose. */
@BodyName('team')
export class TeamFieldsDto {
  @NameField({ description: 'Name for people.', example: 'Core team', maxLength: 64 })
  display_name?: string;
  @StringField({ description: 'Description.', example: '', maxLength: 255 }) description?: string;
  @StringField({ description: 'Company.', example: '', maxLength: 64 }) company_name?: string;
  @StringField({
    description: 'Domains of the addresses that may join, separated by commas.',
    example: '',
    maxLength: 500,
  })
  allowed_domains?: string;
  @BooleanField({ description: 'Anyone may see and join the team.', example: false })
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
    description: 'Name in addresses: 2 to 64 of a-z, 0-9 and hyphen.',
    example: 'core',
    maxLength: 64,
  })
  name = '';
  @ShownAsRequired()
  @StringField({ description: '`O` open or `I` by invitation.', example: 'O', enum: ['O', 'I'] })
  type = '';
  @StringField({ description: 'Not accepted: the server gives the id.', example: '' }) id = '';
  @StringField({
    description: "Ignored: the creator's address counts.",
    example: 'anna@example.com',
    atMost: 1024,
  })
  email = '';
}

/** What `PUT` takes; what is absent stays. */
export class UpdateTeamDto extends TeamFieldsDto {
  @ShownAsRequired()
  @IdField({ description: 'The id of the team, the same as in the path.' })
  id = '';
}

/** What `PUT …/patch` takes; what is absent stays. */
export class PatchTeamDto extends TeamFieldsDto {}

@BodyName('privacy')
export class TeamPrivacyDto {
  @ShownAsRequired()
  @StringField({
    description: '`O` opens the team to everybody, `I` closes it.',
    example: 'O',
    enum: ['O', 'I'],
  })
  privacy = '';
}

@BodyName('team_search')
export class SearchTeamsDto {
  @StringField({ description: 'Part of a name or display name; empty finds all.', example: 'core' })
  term = '';
  @IntegerField({ description: 'With `per_page`: the page, and the answer holds the total.', example: 0 })
  page?: number;
  @IntegerField({ description: 'Teams per page, 200 at most.', example: 60 }) per_page?: number;
  @UnsupportedField('both open and closed teams are found') allow_open_invite?: unknown;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
  @UnsupportedField('there are no retention policies') policy_id?: unknown;
}

/** The fields of a change, as the record calls them. */
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
