import {
  BodyName,
  BooleanField,
  FlagField,
  ObjectField,
  ShownAsRequired,
  NameField,
  StringField,
} from '../../../platform/common/dto/fields.js';

/** The fields of an account that people choose. */
@BodyName('user')
export class UserFieldsDto {
  @StringField({
    description: 'Name to sign in and to be mentioned by; capitals become small letters.',
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
  @StringField({ description: 'Not accepted: the server gives the id.', example: '' }) id = '';
  @StringField({ description: 'Only empty: accounts sign in by password.', example: '' })
  auth_service = '';
  @StringField({ description: 'Only empty: accounts sign in by password.', example: '' }) auth_data = '';
  @BooleanField({
    description: 'Counts when an administrator creates the account.',
    example: false,
    default: false,
  })
  email_verified = false;
}

/** What `PUT …/patch` takes; what is absent stays. */
export class PatchUserDto extends UserFieldsDto {
  @StringField({ description: 'The current password, to change the own e-mail address.' }) password = '';
}

/** What `PUT` takes; what is absent stays. */
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
    description: 'All system roles from now on, separated by spaces.',
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
  /** Null is no value: undefined, which the use case refuses. */
  active?: boolean;
}

@BodyName('password')
export class UpdatePasswordDto {
  @StringField({ description: 'The password so far; needed for the own account.' }) current_password = '';
  @StringField({
    required: true,
    description: 'The new one, 8 to 72 bytes; with already_hashed its bcrypt hash.',
    example: 'correct horse battery',
    maxLength: 72,
  })
  new_password: string;
  @FlagField({
    description:
      'Whether new_password is a bcrypt hash with a cost of 4 to 14. For those who may set the passwords of others.',
    example: false,
    default: false,
  })
  already_hashed: boolean | string = false;
}
