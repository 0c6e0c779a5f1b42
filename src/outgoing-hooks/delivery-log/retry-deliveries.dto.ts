import { ApiProperty, OmitType } from '@nestjs/swagger';
import { BodyName, BooleanField, ObjectField, StringListField } from '../../platform/common/dto/fields.js';
import { ErrorDto, oneOf } from '../../platform/common/dto/operation.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { OrderedRecovery } from './ordered-recovery.js';
import { RecoveryDto } from './recovery.dto.js';
import { MAX_RETRIED, type Retried } from './retries.service.js';

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
      'Sends again what was not delivered, as one recovery: `hook_id`, `endpoint`, `status` (`retrying`, `failed`, `cancelled`), `error`, `http_status`, `since`, `before`, as in the list of deliveries.',
  })
  filter?: JsonObject;
  @BooleanField({ description: 'With `filter`: only count them.', default: false }) dry_run = false;
}

/** Why a delivery is not sent again, as its own route would say. */
export class RetryErrorDto extends OmitType(ErrorDto, ['request_id']) {}

/** What became of one delivery of many. */
export class RetriedDeliveryDto {
  @ApiProperty({ example: 'fbyn5tc65kkjwa1umsfayxistw' }) id: string;
  @ApiProperty({ description: 'It is due now, with the whole schedule again.', example: true })
  retried: boolean;
  @ApiProperty({ type: RetryErrorDto, nullable: true }) error: RetryErrorDto | null;

  static from({ id, error }: Retried): RetriedDeliveryDto {
    return {
      id,
      retried: error === null,
      error: error && { id: error.id, message: error.message, detailed_error: '', status_code: error.status },
    };
  }
}

/** What became of each delivery. */
export class RetriedDeliveriesDto {
  @ApiProperty({ description: 'How many are sent again.', example: 1 }) retried_count: number;
  @ApiProperty({ description: 'How many are not.', example: 0 }) refused_count: number;
  @ApiProperty({ type: [RetriedDeliveryDto] }) results: readonly RetriedDeliveryDto[];

  static from(all: readonly Retried[]): RetriedDeliveriesDto {
    const refused = all.filter(({ error }) => error !== null).length;
    return {
      retried_count: all.length - refused,
      refused_count: refused,
      results: all.map((retried) => RetriedDeliveryDto.from(retried)),
    };
  }
}

/** What the audit row of a retry keeps of the answer. */
export const KEPT_OF_RETRY = ['retried_count', 'refused_count', 'total', 'waiting'] as const;

/** The answer to a retry: what became of each id, or the recovery that a filter has started. */
export function retryAnswer(
  answer: readonly Retried[] | OrderedRecovery,
): RetriedDeliveriesDto | RecoveryDto {
  return 'ownerId' in answer ? RecoveryDto.from(answer) : RetriedDeliveriesDto.from(answer);
}

/** Describes a retry by ids. */
export const BY_IDS =
  'With `ids`, each of up to 200 is sent again as by itself, and the answer says for each whether it is, or why not, in the order of the request. An id that comes twice is answered once.';

/** Describes a retry by a filter. */
export const BY_FILTER =
  'With `filter`, everything that matches and was not delivered is sent again as one recovery, at a pace that leaves room for new deliveries; `dry_run` only counts it.';

/** The response to a retry. */
export const RETRY_ANSWER = oneOf(
  [RetriedDeliveriesDto, RecoveryDto],
  'What became of each id; with a filter, the recovery.',
);
