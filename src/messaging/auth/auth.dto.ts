import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LenientBody } from '../../platform/common/dto/body.pipe.js';
import {
  BodyName,
  IdField,
  IntegerField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../platform/common/dto/fields.js';
import type { Session } from './session.entity.js';
import type { UserAccessToken } from './user-access-token.entity.js';

/** An unreadable body is treated as a missing password, as the contract requires. */
@LenientBody('password')
@BodyName('login')
export class LoginDto {
  @StringField({ description: 'Username or e-mail address.', example: 'admin' }) login_id = '';
  @IdField({ description: 'The id of the account, instead of login_id.', example: '' }) id = '';
  @ShownAsRequired()
  @StringField({ description: 'The password.', example: 'correct horse battery' })
  password = '';
  @StringField({
    description: 'From a mobile client; the new session replaces those of the same device.',
    example: '',
  })
  device_id = '';
  @UnsupportedField('accounts sign in by password') ldap_only?: unknown;
}

/** A session in API responses, without its token. */
export class SessionDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ description: 'Always empty.', example: '' }) token: string;
  @ApiProperty() create_at: number;
  @ApiProperty({ description: '0 = never.' }) expires_at: number;
  @ApiProperty() last_activity_at: number;
  @ApiProperty() user_id: string;
  @ApiProperty() device_id: string;
  @ApiProperty({ example: 'system_user' }) roles: string;
  @ApiProperty() is_oauth: boolean;
  @ApiProperty() expired_notify: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { os: 'Linux', browser: 'Firefox/140' },
  })
  props: Record<string, string>;
  @ApiProperty({ type: [Object] }) team_members: never[];
  @ApiProperty() local: boolean;

  static from(session: Session, roles: string): SessionDto {
    return {
      id: session.id,
      token: '',
      create_at: session.createAt,
      expires_at: session.expiresAt,
      last_activity_at: session.lastActivityAt,
      user_id: session.userId,
      device_id: session.deviceId,
      roles,
      is_oauth: false,
      expired_notify: false,
      props: { ...session.props, isGuest: 'false' },
      team_members: [],
      local: false,
    };
  }
}

@BodyName('session_id')
export class RevokeSessionDto {
  @IdField({ required: true, description: 'The session to end.' }) session_id: string;
}

/** A personal access token; only the response to its creation contains the value. */
export class UserAccessTokenDto {
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiPropertyOptional({
    description: 'The secret token; shown once.',
    example: 'x1f8zcm5wtd5jfzn8u5fxpbkjo',
  })
  token?: string;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) user_id: string;
  @ApiProperty({ example: 'nightly build' }) description: string;
  @ApiProperty() is_active: boolean;
  @ApiProperty({ description: 'When it stops working; 0: never.', example: 0 }) expires_at: number;
  @ApiProperty({ description: 'Within a few minutes; 0: never.', example: 1764637200000 }) last_used: number;

  static from(row: UserAccessToken, token?: string): UserAccessTokenDto {
    return {
      id: row.id,
      token,
      user_id: row.userId,
      description: row.description,
      is_active: row.isActive,
      expires_at: row.expiresAt,
      last_used: row.lastUsed,
    };
  }
}

@BodyName('user_access_token')
export class CreateUserAccessTokenDto {
  @ShownAsRequired()
  @StringField({ description: 'What the token is for.', example: 'nightly build', maxLength: 255 })
  description = '';
  @IntegerField({
    description:
      'When it stops working, in milliseconds since 1970; 0: never. The user is reminded a week and a day before.',
    example: 1796169600000,
    default: 0,
  })
  expires_at = 0;
}

@BodyName('token_id')
export class TokenIdDto {
  @IdField({ required: true, description: 'The id of the token, not its value.' }) token_id: string;
}

@BodyName('term')
export class SearchTokensDto {
  @StringField({
    required: true,
    description: 'A prefix of the id of the token, the id of its user or the username.',
    example: 'ann',
  })
  term: string;
}
