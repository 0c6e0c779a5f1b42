import { ApiProperty, OmitType } from '@nestjs/swagger';
import { BodyName, StringListField } from '../../platform/common/dto/fields.js';
import { ErrorDto } from '../../platform/common/dto/operation.js';
import { MAX_RETRIED, type Retried } from './retries.service.js';

/** Which deliveries are to be sent again. */
@BodyName('retry')
export class RetryDeliveriesDto {
  @StringListField({
    required: true,
    description: `The ids of 1 to ${MAX_RETRIED} deliveries, of any webhooks.`,
    example: ['fbyn5tc65kkjwa1umsfayxistw'],
  })
  ids: string[];
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
