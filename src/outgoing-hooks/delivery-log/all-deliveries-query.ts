import { idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { ATTEMPT_ERRORS } from '../../delivery/dispatch/attempt-row.js';
import { endpointLane } from '../../delivery/dispatch/lane-name.js';
import { requireCallableUrl } from '../../delivery/outbound/callable-url.js';
import { DELIVERIES_QUERY, type DeliveriesQuery } from './deliveries-query.js';

/** How the list of all deliveries is narrowed, as it is sent. */
export interface AllDeliveriesQuery extends DeliveriesQuery {
  readonly id: string | undefined;
  readonly hookId: string | undefined;
  readonly endpoint: string | undefined;
  readonly error: string | undefined;
  readonly httpStatus: string | undefined;
}

/** The query of the list of all deliveries, without the size of a page. */
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

/** The lane of an endpoint in a query. Throws InvalidUrlParam. */
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

/** An error class in a query. Throws InvalidUrlParam. */
export function errorOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!ATTEMPT_ERRORS.includes(text))
    throw new InvalidUrlParam('error', `it must be one of ${ATTEMPT_ERRORS.join(', ')}`);
  return text;
}

/** The first and the last HTTP status that a query means. Throws InvalidUrlParam. */
export function codesOf(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^[1-5](?:\d\d|xx)$/.test(text))
    throw new InvalidUrlParam('http_status', 'it must be an HTTP status or a class of them, as 503 or 5xx');
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}
