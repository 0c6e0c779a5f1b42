import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  BodyName,
  BooleanField,
  IntegerField,
  ObjectField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import { ErrorDto, oneOf } from '../../platform/common/dto/operation.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { DeliveryRecovery } from '../../delivery/dispatch/delivery.entity.js';
import type { AppError } from '../../platform/common/errors/app-error.js';

export const MAX_RETRIED = 200;

/** Which deliveries are to be sent again. */
@BodyName('recovery')
export class RecoverDto {
  @IntegerField({
    required: true,
    description:
      'Deliveries created since then that failed, were cancelled, or wait for their next attempt; milliseconds since the epoch.',
    example: 1764633600000,
  })
  since?: number; // null is validated with the value, after the webhook is looked up
  @BooleanField({ description: 'Only count them.', default: false }) dry_run = false;
}

/** A recovery and its progress. */
export class RecoveryDto {
  @ApiProperty({ description: 'Empty for a dry run.', example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiProperty({ description: 'Empty for one over all webhooks.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  hook_id: string;
  @ApiProperty({ example: 1764633600000 }) since: number;
  @ApiProperty({ description: 'The exact number of deliveries to resend.', example: 1204 }) total: number;
  @ApiProperty({
    description:
      'Number of deliveries that waited for their next attempt when it started; the others had ended.',
    example: 4,
  })
  waiting: number;
  @ApiProperty({ description: 'Number of deliveries that are already due again.', example: 300 })
  requeued: number;
  @ApiProperty({ enum: ['dry_run', 'running', 'finished', 'stopped'], example: 'running' }) status: string;
  @ApiProperty({ example: 1764720000000 }) create_at: number;
  @ApiProperty({ description: '0 while it is running.', example: 0 }) finish_at: number;

  static from(recovery: Omit<DeliveryRecovery, 'until' | 'cursorSeq' | 'filter'>): RecoveryDto {
    return {
      id: recovery.id,
      hook_id: recovery.ownerId,
      since: recovery.since,
      total: recovery.total,
      waiting: recovery.waiting,
      requeued: recovery.requeued,
      status: statusOf(recovery),
      create_at: recovery.createAt,
      finish_at: recovery.finishAt,
    };
  }
}

function statusOf({
  id,
  finishAt,
  isStopped,
}: Pick<DeliveryRecovery, 'id' | 'finishAt' | 'isStopped'>): string {
  if (id === '') return 'dry_run';
  if (isStopped) return 'stopped';
  return finishAt > 0 ? 'finished' : 'running';
}

/** Which deliveries are to be sent again. */
@BodyName('retry')
export class RetryDeliveriesDto {
  @StringListField({
    description: `The ids of 1 to ${MAX_RETRIED} deliveries. Either these or \`filter\`.`,
    example: ['fbyn5tc65kkjwa1umsfayxistw'],
  })
  ids?: string[];
  @ObjectField({
    description:
      'Resends undelivered ones as one recovery: `hook_id`, `endpoint`, `status` (`pending`, `retrying`, `failed`, `cancelled`), `error`, `http_status`, `since`, `before`, as in the list of deliveries.',
  })
  filter?: JsonObject;
  @BooleanField({ description: 'With `filter`: only count them.', default: false }) dry_run = false;
}

class RetryErrorDto extends OmitType(ErrorDto, ['request_id']) {}

/** The result for one delivery of a bulk retry. */
export class RetriedDeliveryDto {
  @ApiProperty({ example: 'fbyn5tc65kkjwa1umsfayxistw' }) id: string;
  @ApiProperty({ description: 'It is due now, with the whole schedule again.', example: true })
  retried: boolean;
  @ApiProperty({ type: RetryErrorDto, nullable: true }) error: RetryErrorDto | null;

  static from(id: string, error: AppError | null): RetriedDeliveryDto {
    return {
      id,
      retried: error === null,
      error: error && { id: error.id, message: error.message, detailed_error: '', status_code: error.status },
    };
  }
}

/** The results of a bulk retry. */
export class RetriedDeliveriesDto {
  @ApiProperty({ description: 'Number of resent deliveries.', example: 1 }) retried_count: number;
  @ApiProperty({ description: 'Number of others.', example: 0 }) refused_count: number;
  @ApiProperty({ type: [RetriedDeliveryDto] }) results: readonly RetriedDeliveryDto[];

  static from(results: readonly RetriedDeliveryDto[]): RetriedDeliveriesDto {
    const refused = results.filter(({ retried }) => !retried).length;
    return {
      retried_count: results.length - refused,
      refused_count: refused,
      results,
    };
  }
}

export const AUDIT_OF_RETRY = {
  keep: ['retried_count', 'refused_count', 'total', 'waiting'],
  many: { name: 'ids', field: 'ids' },
} as const;

export const BY_IDS =
  'With `ids`, up to 200 deliveries are resent individually, and the response contains the result for each, in the order of the request. Repeated ids have one result.';

export const BY_FILTER =
  'With `filter`, all matching undelivered ones are resent as one recovery, at a pace that leaves room for new deliveries; `dry_run` only counts them.';

export const RETRY_ANSWER = oneOf(
  [RetriedDeliveriesDto, RecoveryDto],
  'The result for each id; with a filter, the recovery.',
);
