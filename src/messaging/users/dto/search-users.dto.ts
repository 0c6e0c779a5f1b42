import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import { UserDto } from './user.dto.js';

@BodyName('term')
export class SearchUsersDto {
  @StringField({
    required: true,
    description: 'How the username, a name, the nickname or the e-mail address begins.',
    example: 'ann',
    maxLength: 256,
  })
  term: string;
  @IdField({ description: 'Only members of this team.', example: '' }) team_id = '';
  @IdField({ description: 'Only people who are not in this team.', example: '' }) not_in_team_id = '';
  @IdField({ description: 'Only members of this channel.', example: '' }) in_channel_id = '';
  @IdField({ description: 'Only people who are not in this channel; needs team_id.', example: '' })
  not_in_channel_id = '';
  @BooleanField({ description: 'Only people without a team.', default: false }) without_team = false;
  @BooleanField({ description: 'Deactivated accounts as well.', default: false }) allow_inactive = false;
  @StringField({ description: 'Only holders of this system role.', example: '', atMost: 64 }) role = '';
  @IntegerField({ description: 'At most so many.', example: 100, default: 100 }) limit = 100;
  @UnsupportedField('only `role` is') roles?: unknown;
  @UnsupportedField('only `role` is') team_roles?: unknown;
  @UnsupportedField('only `role` is') channel_roles?: unknown;
  @UnsupportedField('there are no groups') in_group_id?: unknown;
  @UnsupportedField('there are no groups') not_in_group_id?: unknown;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
}

/** Who could be meant. */
export class UserAutocompleteDto {
  @ApiProperty({ type: [UserDto] }) users: UserDto[];
  @ApiPropertyOptional({
    type: [UserDto],
    description: 'Members of the team who are not in the channel; with in_channel.',
  })
  out_of_channel?: UserDto[];
}

export class UserStatsDto {
  @ApiProperty({ example: 42 }) total_users_count: number;
}
