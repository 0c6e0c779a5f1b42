import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyName,
  IdField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';
import type { UserAccessToken } from '../user-access-token.entity.js';

/** A personal access token; its value is in the answer to its creation only. */
export class UserAccessTokenDto {
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiPropertyOptional({
    description: 'The value to sign in with; shown once.',
    example: 'x1f8zcm5wtd5jfzn8u5fxpbkjo',
  })
  token?: string;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) user_id: string;
  @ApiProperty({ example: 'nightly build' }) description: string;
  @ApiProperty() is_active: boolean;

  static from(row: UserAccessToken, token?: string): UserAccessTokenDto {
    return {
      id: row.id,
      token,
      user_id: row.userId,
      description: row.description,
      is_active: row.isActive,
    };
  }
}

@BodyName('user_access_token')
export class CreateUserAccessTokenDto {
  @ShownAsRequired()
  @StringField({ description: 'What the token is for.', example: 'nightly build', maxLength: 255 })
  description = '';
  @UnsupportedField('tokens do not expire') expires_at?: unknown;
}

@BodyName('token_id')
export class TokenIdDto {
  @IdField({ required: true, description: 'The id of the token, not its value.' }) token_id: string;
}

@BodyName('term')
export class SearchTokensDto {
  @StringField({
    required: true,
    description: 'How the id of the token, the id of its user or the username begins.',
    example: 'ann',
  })
  term: string;
}
