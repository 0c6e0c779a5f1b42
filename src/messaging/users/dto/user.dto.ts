import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { User } from '../user.entity.js';

/** Whose eyes a record is for: its owner's, an administrator's, or somebody else's. */
export type UserView = 'self' | 'admin' | 'other';

const STRING_MAP = { type: 'object', additionalProperties: { type: 'string' } } as const;

/** An account as it leaves the server; what a viewer may not see, or what is empty, is left out. */
export class UserDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1_700_000_000_000 }) create_at: number;
  @ApiProperty({ example: 1_700_000_000_000 }) update_at: number;
  @ApiProperty({ description: 'Above 0: deactivated since.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'anna' }) username: string;
  @ApiPropertyOptional({ description: 'Always empty; left out for others.', example: '' }) auth_data?: string;
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
  @ApiPropertyOptional({ description: 'True for a bot; left out for people.' }) is_bot?: boolean;
  @ApiPropertyOptional({ description: 'What the bot is for; left out while empty.', example: 'Deployments.' })
  bot_description?: string;

  @ApiPropertyOptional({
    description: 'The secure connection the account came over; left out for accounts of this server.',
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
