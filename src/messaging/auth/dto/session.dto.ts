import { ApiProperty } from '@nestjs/swagger';
import { BodyName, IdField } from '../../../platform/common/dto/fields.js';
import { isGuestRole } from '../../permissions/guests.js';
import { splitRoles } from '../../permissions/role-list.js';
import type { Session } from '../session.entity.js';

/** A session as it leaves the server: without its token. */
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
      props: { ...session.props, isGuest: String(isGuestRole(splitRoles(roles))) },
      team_members: [],
      local: false,
    };
  }
}

@BodyName('session_id')
export class RevokeSessionDto {
  @IdField({ required: true, description: 'The session to end.' }) session_id: string;
}
