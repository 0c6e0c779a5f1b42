import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PRESETS } from './presets.js';
import { ALGORITHMS, ENCODINGS, VERIFIER_TYPES } from './verifier.js';

/** How the calls of an incoming webhook are verified (docs/contract/incoming-webhooks.md#verifiers). */
class VerifierFieldsDto {
  @ApiPropertyOptional({
    description: 'A known sender: sets the other fields.',
    enum: Object.keys(PRESETS),
    example: 'github',
  })
  preset?: string;
  @ApiPropertyOptional({ enum: VERIFIER_TYPES, example: 'hmac' }) type?: string;
  @ApiPropertyOptional({
    description: 'The header with the signature or the token.',
    maxLength: 64,
    example: 'X-Hub-Signature-256',
  })
  header?: string;
  @ApiPropertyOptional({
    description: 'The query parameter with the token, instead of a header.',
    maxLength: 64,
    example: '',
  })
  query?: string;
  @ApiPropertyOptional({
    description: 'What precedes the signature or the token.',
    maxLength: 32,
    example: 'sha256=',
  })
  prefix?: string;
  @ApiPropertyOptional({ description: 'The hash of an HMAC.', enum: ALGORITHMS, example: 'sha256' })
  algorithm?: string;
  @ApiPropertyOptional({ description: 'How a signature is written.', enum: ENCODINGS, example: 'hex' })
  encoding?: string;
  @ApiPropertyOptional({
    description:
      'What is signed: `body`, `url-and-form`, or a text with `{body}`, `{timestamp}`, `{id}` and `{url}`.',
    maxLength: 128,
    example: 'body',
  })
  signed?: string;
  @ApiPropertyOptional({ description: 'The header with the `{id}`.', maxLength: 64, example: '' })
  id_header?: string;
  @ApiPropertyOptional({ description: 'The header with the `{timestamp}`.', maxLength: 64, example: '' })
  timestamp_header?: string;
  @ApiPropertyOptional({
    description: 'What precedes the `{timestamp}` in the header with the signature, instead.',
    maxLength: 32,
    example: '',
  })
  timestamp_prefix?: string;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'How far the `{timestamp}` may be from the time of the server, in seconds.',
    example: 300,
  })
  tolerance?: number;
  @ApiPropertyOptional({ description: 'The user of HTTP Basic.', maxLength: 64, example: 'alerts' })
  user?: string;
  @ApiPropertyOptional({
    type: [String],
    description: 'Addresses and networks that may call.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  networks?: readonly string[];
}

/** A verifier in a response, without its secrets. */
export class VerifierDto extends VerifierFieldsDto {
  @ApiProperty({
    description: 'Until when the replaced secret is valid too; 0: there is none.',
    example: 0,
  })
  previous_secret_expires_at: number;
}

/** A verifier in a request. */
export class GivenVerifierDto extends VerifierFieldsDto {
  @ApiPropertyOptional({
    description: 'At most 255 bytes; never returned. Absent: the stored one.',
    example: 'a secret that only the sender knows',
  })
  secret?: string;
  @ApiPropertyOptional({
    description: 'Whether a replaced secret stays valid for `SIGNING_OVERLAP`.',
    default: true,
  })
  rotate?: boolean;
}

export const VERIFIER = {
  description:
    'How calls prove that they come from the sender. Without it, anyone who knows the URL can post; with it, the URL alone is useless. null: none.',
  example: { preset: 'github', secret: 'a secret that only the sender knows' },
};
