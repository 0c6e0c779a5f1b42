import { ApiProperty } from '@nestjs/swagger';
import type { Audit } from './audit.entity.js';
import {
  choiceParam,
  idParam,
  LAST_OF_PAGE_BEFORE,
  QueryObject,
  type QueryParam,
} from '../common/dto/params.js';
import { InvalidUrlParam } from '../common/errors/common-errors.js';

/** A row of the audit log in API responses. */
export class AuditDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ example: 1767225600000 }) create_at: number;
  @ApiProperty({
    description: 'The user; empty in local mode or without a session.',
    example: 'x9o7dhmz8f8zzrcsrwh3fpuxbe',
  })
  user_id: string;
  @ApiProperty({ example: 'create_incoming_webhook' }) action: string;
  @ApiProperty({
    description: 'The target: an id, or a short hash if the id is a secret.',
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
      'Recorded values of the call and its result. For a call with many records, the first ids and `total`.',
    type: 'object',
    additionalProperties: true,
    example: { name: 'branch-office' },
  })
  parameters: Record<string, unknown>;

  @ApiProperty({
    description: 'Number of refused calls in this row; 1 for any other call.',
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

/** Filters of the audit log; undefined fields do not filter. */
export interface AuditFilter {
  readonly userId: string | undefined;
  readonly action: string | undefined;
  readonly result: string | undefined;
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly after: string | undefined;
}

const ACTION = /^[A-Za-z_]{1,64}$/;
const MAX_TIME = 8_640_000_000_000;

/** The filters of the audit log. */
export const QueryAudits = (): ParameterDecorator =>
  QueryObject<AuditFilter>({
    userId: idParam('user_id', 'Only actions of this user.'),
    action: {
      name: 'action',
      description: {
        description: 'Only this action, by its full name.',
        schema: { pattern: ACTION.source },
        example: 'create_incoming_webhook',
      },
      parse: actionOf,
    },
    result: choiceParam('result', ['success', 'fail'], 'Only this result.'),
    since: timeParam('since', 'At or after this time; milliseconds since the epoch.'),
    before: timeParam('before', 'Before this time; milliseconds since the epoch.'),
    after: idParam('after', LAST_OF_PAGE_BEFORE),
  });

function actionOf(text = '', name: string): string | undefined {
  if (text === '') return undefined;
  if (!ACTION.test(text)) throw new InvalidUrlParam(name, 'it must be 1 to 64 letters and underscores');
  return text;
}

function timeParam(name: string, description: string): QueryParam<number | undefined> {
  const schema = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 };
  return { name, description: { description, schema }, parse: timeOf };
}

function timeOf(text = '', name: string): number | undefined {
  if (text === '') return undefined;
  if (!/^\d{1,13}$/.test(text)) throw new InvalidUrlParam(name, 'it must be milliseconds since the epoch');
  return Math.min(Number(text), MAX_TIME);
}
