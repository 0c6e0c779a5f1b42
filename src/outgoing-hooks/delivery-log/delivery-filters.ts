import { endpointLane } from '../../delivery/dispatch/delivery-kind.js';
import type { DeliveryStatus } from '../../delivery/dispatch/delivery.entity.js';
import { ATTEMPT_ERRORS } from '../../delivery/dispatch/attempt.js';
import {
  type DeliverySearch,
  WANTED_STATUSES,
  type WantedStatus,
} from '../../delivery/dispatch/delivery-search.service.js';
import { requireCallableUrl } from '../../delivery/outbound/callable-url.js';
import { idParam, QueryChoice, QueryObject, textParam } from '../../platform/common/dto/params.js';
import { definedOnly } from '../../platform/common/defined-only.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { runeLength } from '../../platform/common/utf8.js';
import type { StatsRange } from '../delivery-stats/counts.js';

/** The raw filters of a delivery list; they are validated after the webhook is looked up. */
export interface DeliveriesQuery {
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly cursor: string | undefined;
}

export const MAX_TIME = 8_640_000_000_000;
const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

const DELIVERIES_QUERY = {
  status: textParam(
    'status',
    'One or more of pending, in_flight, delivered, failed, cancelled, retrying (pending after a failed call); comma-separated.',
  ),
  since: textParam('since', {
    description: 'Created at or after this time; milliseconds since the epoch.',
    schema: TIME,
  }),
  before: textParam('before', {
    description: 'Created before this time; milliseconds since the epoch.',
    schema: TIME,
  }),
  cursor: idParam('cursor', 'The `next_cursor` of the previous page.'),
};

export const DEFAULT_RANGE = '24h';
export const FRESHNESS = 'Attempts are counted within ten seconds.';

export const QueryRange = (names: readonly StatsRange[]): ParameterDecorator =>
  QueryChoice('range', names, `Ends now; ${DEFAULT_RANGE} by default.`);

export const QueryDeliveries = (): ParameterDecorator => QueryObject<DeliveriesQuery>(DELIVERIES_QUERY);

/** Parses the statuses in a query; an empty list means all. Throws InvalidUrlParam. */
export function statusesOf(text: string | undefined): WantedStatus[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    const status = WANTED_STATUSES.find((known) => known === name);
    if (!status)
      throw new InvalidUrlParam('status', `it must be one or more of ${WANTED_STATUSES.join(', ')}`);
    return status;
  });
}

export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,13}$/.test(text)) throw new InvalidUrlParam(name, 'it must be milliseconds since the epoch');
  return Math.min(Number(text), MAX_TIME);
}

export interface AllDeliveriesQuery extends DeliveriesQuery {
  readonly id: string | undefined;
  readonly hookId: string | undefined;
  readonly endpoint: string | undefined;
  readonly error: string | undefined;
  readonly httpStatus: string | undefined;
}

export const QueryAllDeliveries = (): ParameterDecorator =>
  QueryObject<AllDeliveriesQuery>({
    ...DELIVERIES_QUERY,
    id: idParam('delivery_id', 'Only this delivery.'),
    hookId: idParam('hook_id', 'Only deliveries of this webhook, even if it is deleted.'),
    endpoint: textParam('endpoint', {
      description: 'Only deliveries to this scheme, host and port.',
      schema: { format: 'uri' },
      example: 'https://ci.example.com',
    }),
    error: textParam('error', {
      description: 'Only deliveries whose last attempt failed in this way.',
      schema: { enum: [...ATTEMPT_ERRORS] },
    }),
    httpStatus: textParam('http_status', {
      description: 'Only deliveries whose last attempt got this status, or one of a class: `5xx`.',
      schema: { pattern: '^[1-5]([0-9][0-9]|xx)$' },
    }),
  });

/** Parses an endpoint in a query into its lane. Throws InvalidUrlParam. */
export function laneOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const url = requireCallableUrl(text);
    if (url.href === `${url.origin}/`) return endpointLane(url.href);
  } catch {
    // such text is never a callback URL
  }
  throw new InvalidUrlParam('endpoint', 'it must be scheme, host and port, such as https://example.com:8443');
}

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
    throw new InvalidUrlParam(
      'http_status',
      'it must be an HTTP status or a class of them, such as 503 or 5xx',
    );
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}

export function searchOf(
  query: DeliveriesQuery & Partial<AllDeliveriesQuery>,
): Omit<DeliverySearch, 'scope' | 'cursor'> {
  return {
    id: query.id,
    statuses: statusesOf(query.status),
    lane: laneOf(query.endpoint),
    error: errorOf(query.error),
    codes: codesOf(query.httpStatus),
    since: timeOf('since', query.since),
    before: timeOf('before', query.before),
  };
}

const FIELDS = ['hook_id', 'endpoint', 'status', 'error', 'http_status', 'since', 'before'];
/** Deliveries that are already due are left alone; delivered ones can only be resent by id. */
const STORED: Partial<Record<WantedStatus, DeliveryStatus>> = {
  pending: 'retrying',
  retrying: 'retrying',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Parses a retry filter. Ignoring an unknown field would select too much, so it throws InvalidBodyParam. */
export function retryFilterOf(filter: JsonObject) {
  const unknown = Object.keys(filter).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new InvalidBodyParam(`filter.${unknown.slice(0, 64)}`, `the fields are ${FIELDS.join(', ')}`);
  const text = (name: string): string => textOf(filter[name], `filter.${name}`);
  const hookId = text('hook_id');
  if (hookId !== '' && !isId(hookId))
    throw new InvalidBodyParam('filter.hook_id', 'it must be 26 letters and digits');
  try {
    const wanted = [...new Set(statusesOf(text('status')).map((status) => STORED[status]))];
    const statuses = wanted.filter((status) => status !== undefined);
    if (statuses.length < wanted.length)
      throw new InvalidUrlParam('status', `it must be one or more of ${Object.keys(STORED).join(', ')}`);
    return {
      hookId: hookId || undefined,
      since: timeOf('since', text('since')) ?? 0,
      before: timeOf('before', text('before')),
      ...(statuses.length > 0 && { statuses }),
      ...definedOnly({
        lane: laneOf(text('endpoint')),
        error: errorOf(text('error')),
        codes: codesOf(text('http_status')),
      }),
    };
  } catch (error) {
    if (error instanceof InvalidUrlParam) throw new InvalidBodyParam(`filter.${error.param}`, error.reason);
    throw error;
  }
}

function textOf(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  const text: unknown = Array.isArray(value) ? value.join(',') : value;
  if (typeof text === 'number') return String(text);
  if (typeof text !== 'string' || runeLength(text) > 2_048)
    throw new InvalidBodyParam(name, 'it must be a string of at most 2,048 characters');
  return text;
}
