import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { User } from '../user.entity.js';
import {
  BodyName,
  BooleanField,
  FlagField,
  IdField,
  IntegerField,
  NameField,
  ObjectField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';

/** Who views a record: its owner, an administrator, or another user. */
export type UserView = 'self' | 'admin' | 'other';

const STRING_MAP = { type: 'object', additionalProperties: { type: 'string' } } as const;

/** An account in API responses; omits empty fields and those that the viewer may not see. */
export class UserDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Time of deactivation; 0: active.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'anna' }) username: string;
  @ApiPropertyOptional({ description: 'Always empty; absent for others.', example: '' }) auth_data?: string;
  @ApiProperty({ description: 'Empty: signs in by password.', example: '' }) auth_service: string;
  @ApiProperty({ example: 'anna@example.com' }) email: string;
  @ApiPropertyOptional() email_verified?: boolean;
  @ApiProperty({ example: '' }) nickname: string;
  @ApiProperty({ example: 'Anna' }) first_name: string;
  @ApiProperty({ example: 'Schmidt' }) last_name: string;
  @ApiProperty({ example: 'Operations' }) position: string;
  @ApiProperty({ example: 'system_user' }) roles: string;
  @ApiPropertyOptional(STRING_MAP) props?: Record<string, string>;
  @ApiPropertyOptional({ ...STRING_MAP, description: 'For the owner and for administrators.' })
  notify_props?: Record<string, string>;
  @ApiPropertyOptional({ example: 1_700_000_000_000 }) last_password_update?: number;
  @ApiPropertyOptional() failed_attempts?: number;
  @ApiProperty({ example: 'en' }) locale: string;
  @ApiProperty({
    ...STRING_MAP,
    example: { useAutomaticTimezone: 'true', automaticTimezone: '', manualTimezone: '' },
  })
  timezone: Record<string, string>;
  @ApiProperty() disable_welcome_email: boolean;
  @ApiPropertyOptional({ description: 'For administrators.' }) last_login?: number;
  @ApiPropertyOptional({ description: 'True for a bot; absent for users.' }) is_bot?: boolean;
  @ApiPropertyOptional({ description: 'The purpose of the bot; absent if empty.', example: 'Deployments.' })
  bot_description?: string;

  @ApiPropertyOptional({
    description: 'The secure connection the account came over; absent for accounts of this server.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  remote_id?: string;

  static from(user: User, view: UserView): UserDto {
    const isPrivileged = view !== 'other';
    return {
      id: user.id,
      create_at: user.createAt,
      update_at: user.updateAt,
      delete_at: user.deleteAt,
      username: user.username,
      auth_data: isPrivileged ? '' : undefined,
      auth_service: '',
      email: user.email,
      email_verified: (isPrivileged && user.emailVerified) || undefined,
      nickname: user.nickname,
      first_name: user.firstName,
      last_name: user.lastName,
      position: user.position,
      roles: user.roles,
      props: isEmpty(user.props) ? undefined : user.props,
      notify_props: isPrivileged && !isEmpty(user.notifyProps) ? user.notifyProps : undefined,
      last_password_update: (isPrivileged && user.lastPasswordUpdate) || undefined,
      failed_attempts: (isPrivileged && user.failedAttempts) || undefined,
      locale: user.locale,
      timezone: user.timezone,
      disable_welcome_email: false,
      remote_id: user.remoteId || undefined,
      is_bot: user.isBot || undefined,
      bot_description: user.botDescription || undefined,
      last_login: (view === 'admin' && user.lastLogin) || undefined,
    };
  }
}

function isEmpty(map: Record<string, string>): boolean {
  return Object.keys(map).length === 0;
}

@BodyName('term')
export class SearchUsersDto {
  @StringField({
    required: true,
    description: 'A prefix of the username, a name, the nickname or the e-mail address.',
    example: 'ann',
    maxLength: 256,
  })
  term: string;
  @IdField({ description: 'Only members of this team.', example: '' }) team_id = '';
  @IdField({ description: 'Only users who are not in this team.', example: '' }) not_in_team_id = '';
  @IdField({ description: 'Only members of this channel.', example: '' }) in_channel_id = '';
  @IdField({ description: 'Only users who are not in this channel; requires team_id.', example: '' })
  not_in_channel_id = '';
  @BooleanField({ description: 'Only users without a team.', default: false }) without_team = false;
  @BooleanField({ description: 'Include deactivated accounts.', default: false }) allow_inactive = false;
  @StringField({ description: 'Only holders of this system role.', example: '', atMost: 64 }) role = '';
  @IntegerField({ description: 'Maximum number of users.', example: 100, default: 100 }) limit = 100;
  @UnsupportedField('only `role` is supported') roles?: unknown;
  @UnsupportedField('only `role` is supported') team_roles?: unknown;
  @UnsupportedField('only `role` is supported') channel_roles?: unknown;
  @UnsupportedField('there are no groups') in_group_id?: unknown;
  @UnsupportedField('there are no groups') not_in_group_id?: unknown;
  @UnsupportedField('there are no groups') group_constrained?: unknown;
}

/** Autocomplete results. */
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

@BodyName('user')
export class UserFieldsDto {
  @StringField({
    description: 'The username, for login and mentions; converted to lower case.',
    example: 'anna',
    maxLength: 64,
  })
  username?: string;
  @StringField({
    description: 'E-mail address, unique on the server.',
    example: 'anna@example.com',
    maxLength: 128,
  })
  email?: string;
  @NameField({ description: 'Nickname.', example: '', maxLength: 64 }) nickname?: string;
  @NameField({ description: 'First name.', example: 'Anna', maxLength: 64 }) first_name?: string;
  @NameField({ description: 'Last name.', example: 'Schmidt', maxLength: 64 }) last_name?: string;
  @NameField({ description: 'Position.', example: 'Operations', maxLength: 128 }) position?: string;
  @StringField({ description: 'Language of the client.', example: 'en', maxLength: 5 }) locale?: string;
  @ObjectField({
    description: 'Time zone: useAutomaticTimezone, automaticTimezone, manualTimezone; all strings.',
    example: { useAutomaticTimezone: 'false', automaticTimezone: '', manualTimezone: 'Europe/Berlin' },
  })
  timezone?: Record<string, unknown>;
  @ObjectField({ description: "A client's own values; all strings.", example: {} }) props?: Record<
    string,
    unknown
  >;
  @ObjectField({ description: 'When to notify; all strings.', example: { desktop: 'mention' } })
  notify_props?: Record<string, unknown>;
}

export class CreateUserDto extends UserFieldsDto {
  @ShownAsRequired() override username: string = '';
  @ShownAsRequired() override email: string = '';
  @ShownAsRequired()
  @StringField({ description: 'Password, 8 to 72 bytes.', example: 'correct horse battery', maxLength: 72 })
  password = '';
  @StringField({ description: 'Not accepted: the server assigns the id.', example: '' }) id = '';
  @StringField({ description: 'Only empty: accounts sign in by password.', example: '' })
  auth_service = '';
  @StringField({ description: 'Only empty: accounts sign in by password.', example: '' }) auth_data = '';
  @BooleanField({
    description: 'Used if an administrator creates the account.',
    example: false,
    default: false,
  })
  email_verified = false;
}

/** The body of `PUT …/patch`; omitted fields stay unchanged. */
export class PatchUserDto extends UserFieldsDto {
  @StringField({ description: "The current password, required to change one's own e-mail address." })
  password = '';
}

/** The body of `PUT`; omitted fields stay unchanged. */
export class UpdateUserDto extends PatchUserDto {
  @StringField({
    required: true,
    description: 'The id of the account, the same as in the path.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  id: string;
}

@BodyName('roles')
export class UpdateRolesDto {
  @StringField({
    required: true,
    description: 'The new list of all system roles, separated by spaces.',
    example: 'system_user system_user_access_token',
  })
  roles: string;
}

@BodyName('active')
export class UpdateActiveDto {
  @BooleanField({
    required: true,
    description: 'False deactivates the account and ends its sessions.',
    example: true,
  })
  /** Maps null to undefined, which the use case rejects. */
  active?: boolean;
}

@BodyName('password')
export class UpdatePasswordDto {
  @StringField({ description: 'The current password; required for the own account.' }) current_password = '';
  @StringField({
    required: true,
    description: 'The new password, 8 to 72 bytes; with already_hashed its bcrypt hash.',
    example: 'correct horse battery',
    maxLength: 72,
  })
  new_password: string;
  @FlagField({
    description:
      'Whether new_password is a bcrypt hash with a cost of 4 to 14. Requires permission to set the passwords of others.',
    example: false,
    default: false,
  })
  already_hashed: boolean | string = false;
}
