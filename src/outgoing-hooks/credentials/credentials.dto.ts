import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AUTH_TYPES, CLIENT_AUTH_METHODS, MAX_AUTH_TEXT, MAX_TOKEN_URL } from './hook-auth.js';
import { MAX_HEADER_VALUE, MAX_HEADERS } from './hook-headers.js';

/** A header that each call has. */
export class HookHeaderDto {
  @ApiProperty({ maxLength: 100, example: 'X-Api-Key' }) name: string;
  @ApiProperty({ description: 'Whether the value is encrypted and never shown.', example: true })
  secret: boolean;
  @ApiPropertyOptional({
    description: 'Absent if it is secret.',
    maxLength: MAX_HEADER_VALUE,
    example: 'blue',
  })
  value?: string;
}

/** A header in a request. */
export class GivenHeaderDto {
  @ApiProperty({ maxLength: 100, example: 'X-Api-Key' }) name: string;
  @ApiPropertyOptional({
    description: 'Printable ASCII. Absent: the stored one.',
    maxLength: MAX_HEADER_VALUE,
    example: 'a key that only the receiver knows',
  })
  value?: string;
  @ApiPropertyOptional({
    description: 'Whether to encrypt the value and never show it. Absent: as stored, or false.',
    example: true,
  })
  secret?: boolean;
}

/** How calls authenticate, without the secret. */
export class HookAuthDto {
  @ApiProperty({ enum: AUTH_TYPES, example: 'oauth2' }) type: string;
  @ApiPropertyOptional({ description: 'Of `basic`.', maxLength: 255, example: 'hookline' }) username?: string;
  @ApiPropertyOptional({
    description: 'Of `oauth2`: the token endpoint.',
    maxLength: MAX_TOKEN_URL,
    example: 'https://login.example.com/oauth/token',
  })
  token_url?: string;
  @ApiPropertyOptional({ description: 'Of `oauth2`.', maxLength: 255, example: 'hookline' })
  client_id?: string;
  @ApiPropertyOptional({
    description: 'Of `oauth2`; may be empty.',
    maxLength: MAX_AUTH_TEXT,
    example: 'deploy',
  })
  scope?: string;
  @ApiPropertyOptional({ description: 'Of `oauth2`; may be empty.', maxLength: MAX_AUTH_TEXT, example: '' })
  audience?: string;
  @ApiPropertyOptional({
    description: 'Of `oauth2`: whether client id and secret are sent in the header or in the body.',
    enum: CLIENT_AUTH_METHODS,
    example: 'client_secret_basic',
  })
  token_endpoint_auth_method?: string;
}

/** Authentication in a request. Its secret is never returned; absent, the stored one is kept. */
export class GivenAuthDto extends HookAuthDto {
  @ApiPropertyOptional({ description: 'Of `basic`.', maxLength: 1024, example: 'a password' })
  password?: string;
  @ApiPropertyOptional({ description: 'Of `bearer`.', maxLength: 4096, example: 'a-token' }) token?: string;
  @ApiPropertyOptional({ description: 'Of `oauth2`.', maxLength: 1024, example: 'a client secret' })
  client_secret?: string;
}

export const HEADERS = {
  description: `Additional headers of each call, at most ${MAX_HEADERS}. The list replaces the stored one; items without a value keep theirs. Absent: unchanged; null or empty: none.`,
  example: [{ name: 'X-Api-Key', value: 'a key that only the receiver knows', secret: true }],
};

export const AUTH = {
  description:
    'How each call authenticates: with a user and a password, with a token, or with tokens of an OAuth 2 server. Absent: unchanged; null: not at all.',
  example: { type: 'basic', username: 'hookline', password: 'a password' },
};
