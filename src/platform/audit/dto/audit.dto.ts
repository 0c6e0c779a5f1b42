import { ApiProperty } from '@nestjs/swagger';
import type { Audit } from '../audit.entity.js';

/** A row of the audit log in API responses. */
export class AuditDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1767225600000 }) create_at: number;
  @ApiProperty({
    description: 'Who; empty in local mode or when nobody was signed in.',
    example: 'x9o7dhmz8f8zzrcsrwh3fpuxbe',
  })
  user_id: string;
  @ApiProperty({ example: 'create_incoming_webhook' }) action: string;
  @ApiProperty({
    description: 'On what: an id, or a short hash where the id is a secret.',
    example: 'sha256:3f1c9a2b7d04',
  })
  target: string;
  @ApiProperty({ enum: ['success', 'fail'] }) result: string;
  @ApiProperty({ example: 201 }) status_code: number;
  @ApiProperty({ description: 'The id of the error, if it failed.', example: '' }) error_id: string;
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) request_id: string;
  @ApiProperty({ example: '192.0.2.10' }) ip_address: string;
  @ApiProperty({
    description:
      'What is kept of the call and its result. Of a call that names many records, their first ids and `total`.',
    type: 'object',
    additionalProperties: true,
    example: { name: 'branch-office' },
  })
  parameters: Record<string, unknown>;

  @ApiProperty({
    description: 'How many refused calls the row stands for; 1 for any other call.',
    example: 1,
  })
  count: number;

  static from(audit: Audit): AuditDto {
    return {
      id: audit.id,
      create_at: audit.createAt,
      user_id: audit.userId,
      action: audit.action,
      target: audit.target,
      result: audit.result,
      status_code: audit.status,
      error_id: audit.errorId,
      request_id: audit.requestId,
      ip_address: audit.address,
      parameters: { ...parsed(audit.parameters), ...parsed(audit.affected) },
      count: audit.repeats + 1,
    };
  }
}

function parsed(text: string): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
