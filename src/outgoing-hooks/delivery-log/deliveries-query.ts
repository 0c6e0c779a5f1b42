import { idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { WANTED_STATUSES, type WantedStatus } from '../../delivery/dispatch/shown-status.js';

/** How a list of deliveries is narrowed, as it is sent: it is judged once the webhook is known. */
export interface DeliveriesQuery {
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly cursor: string | undefined;
}

/** The last time that a query can name. */
export const MAX_TIME = 8_640_000_000_000;
const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

/** The parameters that every list of deliveries has. */
export const DELIVERIES_QUERY = {
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
  cursor: idParam('cursor', 'The `next_cursor` of the page before.'),
};

/** The query of the delivery log, without the size of a page. */
export const QueryDeliveries = (): ParameterDecorator => QueryObject<DeliveriesQuery>(DELIVERIES_QUERY);

/** The statuses of a query; none means all. Throws InvalidUrlParam. */
export function statusesOf(text: string | undefined): WantedStatus[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    const status = WANTED_STATUSES.find((known) => known === name);
    if (!status)
      throw new InvalidUrlParam('status', `it must be one or more of ${WANTED_STATUSES.join(', ')}`);
    return status;
  });
}

/** A time in a query. Throws InvalidUrlParam. */
export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,13}$/.test(text)) throw new InvalidUrlParam(name, 'it must be milliseconds since the epoch');
  return Math.min(Number(text), MAX_TIME);
}
