import { ApiProperty } from '@nestjs/swagger';
import type { PlacedDelivery, PlacedDeliveryPage } from './all-deliveries.service.js';
import { DeliveryDto } from './delivery.dto.js';

/** A delivery in the list of all: it tells its webhook and the team of that. */
export class PlacedDeliveryDto extends DeliveryDto {
  @ApiProperty({ description: 'The name of the webhook, also of a deleted one.', example: 'Deployments' })
  hook_display_name: string;
  @ApiProperty({ description: 'The team of the webhook.', example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' })
  team_id: string;
  @ApiProperty({ example: 'core' }) team_name: string;
  @ApiProperty({ example: 'Core team' }) team_display_name: string;

  static override from({ hook, team, ...logged }: PlacedDelivery): PlacedDeliveryDto {
    return {
      ...DeliveryDto.from(logged),
      hook_display_name: hook?.displayName ?? '',
      team_id: hook?.teamId ?? '',
      team_name: team?.name ?? '',
      team_display_name: team?.displayName ?? '',
    };
  }
}

/** One page of the deliveries of all outgoing webhooks, newest first. */
export class PlacedDeliveryListDto {
  @ApiProperty({ type: [PlacedDeliveryDto] }) deliveries: readonly PlacedDeliveryDto[];
  @ApiProperty({
    description:
      'Send it as `cursor` to get the next page; empty on the last one. A page may be short, or empty, and not the last.',
    example: 'fbyn5tc65kkjwa1umsfayxistw',
  })
  next_cursor: string;

  static from({ deliveries, nextCursor }: PlacedDeliveryPage): PlacedDeliveryListDto {
    return {
      deliveries: deliveries.map((delivery) => PlacedDeliveryDto.from(delivery)),
      next_cursor: nextCursor,
    };
  }
}
