import type { DeliveryStatus, RecoveryFilter } from '../../delivery/dispatch/delivery.entity.js';
import type { WantedStatus } from '../../delivery/dispatch/shown-status.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { codesOf, errorOf, laneOf } from './all-deliveries.dto.js';
import { statusesOf, timeOf } from './test-delivery.dto.js';

/** Selects deliveries to resend, with the filters of the delivery list. */
export interface RetryFilter extends Pick<RecoveryFilter, 'statuses' | 'lane' | 'error' | 'codes'> {
  readonly hookId: string | undefined;
  readonly since: number;
  readonly before: number | undefined;
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
export function retryFilterOf(filter: JsonObject): RetryFilter {
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
      ...defined('lane', laneOf(text('endpoint'))),
      ...defined('error', errorOf(text('error'))),
      ...defined('codes', codesOf(text('http_status'))),
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
  if (typeof text !== 'string' || text.length > 2_048)
    throw new InvalidBodyParam(name, 'it must be a string of at most 2,048 characters');
  return text;
}

function defined<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}
