import { ApiProperty } from '@nestjs/swagger';
import type { KeptRequest } from '../kept-request.entity.js';
import { headersWithoutSecrets } from '../kept-content.js';
import { KeptRequestDto } from './kept-request.dto.js';

/** A kept call with what it carried (docs/contract/incoming-webhooks.md#kept-calls). */
export class KeptRequestDetailDto extends KeptRequestDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers by lower-case name, only those that are known to hold no secret.',
    example: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({ description: 'The query parameter `payload`.', example: '' }) query_payload: string;
  @ApiProperty({ description: 'At most 64 KiB of the body.', example: '{"text":5}' }) body: string;
  @ApiProperty({
    enum: ['utf8', 'base64'],
    description: 'How `body` is written: as it came, or as base64 if it is no plain text.',
    example: 'utf8',
  })
  body_encoding: 'utf8' | 'base64';
  @ApiProperty({ type: [String], description: 'What it posted.', example: [] }) post_ids: readonly string[];

  static override from(request: KeptRequest): KeptRequestDetailDto {
    const { headers, queryPayload, body, encoding, postIds } = request.content;
    return {
      ...KeptRequestDto.from(request),
      headers: headersWithoutSecrets(headers), // calls kept by earlier versions have more
      query_payload: queryPayload,
      body,
      body_encoding: encoding,
      post_ids: postIds,
    };
  }
}
