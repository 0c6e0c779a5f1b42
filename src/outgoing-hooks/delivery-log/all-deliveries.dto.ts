import { ApiProperty } from '@nestjs/swagger';
import type { PlacedDelivery, PlacedDeliveryPage } from './all-deliveries.service.js';
import { DeliveryDto } from './delivery.dto.js';
import { idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { ATTEMPT_ERRORS } from '../../delivery/dispatch/attempt-row.js';
import { endpointLane } from '../../delivery/dispatch/lane-name.js';
import { requireCallableUrl } from '../../delivery/outbound/callable-url.js';
import { DELIVERIES_QUERY, type DeliveriesQuery } from './test-delivery.dto.js';

/** A delivery in the list of all deliveries, with its webhook and team. */
class PlacedDeliveryDto extends DeliveryDto {
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

/** The raw filters of the list of all deliveries. */
export interface AllDeliveriesQuery extends DeliveriesQuery {
  readonly id: string | undefined;
  readonly hookId: string | undefined;
  readonly endpoint: string | undefined;
  readonly error: string | undefined;
  readonly httpStatus: string | undefined;
}

/** The query parameters of the list of all deliveries, except the page size. */
export const QueryAllDeliveries = (): ParameterDecorator =>
  QueryObject<AllDeliveriesQuery>({
    ...DELIVERIES_QUERY,
    id: idParam('delivery_id', 'This delivery only.'),
    hookId: idParam('hook_id', 'Deliveries of this webhook only, even if it is deleted.'),
    endpoint: textParam('endpoint', {
      description: 'Deliveries to this scheme, host and port only.',
      schema: { format: 'uri' },
      example: 'https://ci.example.com',
    }),
    error: textParam('error', {
      description: 'Deliveries whose last attempt failed like this only.',
      schema: { enum: [...ATTEMPT_ERRORS] },
    }),
    httpStatus: textParam('http_status', {
      description:
        'Deliveries whose last attempt was answered with this status only, or with one of a class: `5xx`.',
      schema: { pattern: '^[1-5]([0-9][0-9]|xx)$' },
    }),
  });

/** Parses an endpoint in a query into its lane. Throws InvalidUrlParam. */
export function laneOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = callableUrl(text);
  if (!url || url.href !== `${url.origin}/`)
    throw new InvalidUrlParam('endpoint', 'it must be scheme, host and port, as https://example.com:8443');
  return endpointLane(url.href);
}

function callableUrl(text: string): URL | undefined {
  try {
    return requireCallableUrl(text);
  } catch {
    return undefined; // callback URLs are no such text
  }
}

/** Parses an error class in a query. Throws InvalidUrlParam. */
export function errorOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!ATTEMPT_ERRORS.includes(text))
    throw new InvalidUrlParam('error', `it must be one of ${ATTEMPT_ERRORS.join(', ')}`);
  return text;
}

/** Parses a range of HTTP statuses in a query into its first and last status. Throws InvalidUrlParam. */
export function codesOf(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^[1-5](?:\d\d|xx)$/.test(text))
    throw new InvalidUrlParam('http_status', 'it must be an HTTP status or a class of them, as 503 or 5xx');
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}
