import { idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';

/** How a list of deliveries is narrowed, as it is sent: it is judged once the webhook is known. */
export interface DeliveriesQuery {
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly cursor: string | undefined;
}

const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

/** The query of the delivery log, without the size of a page. */
export const QueryDeliveries = (): ParameterDecorator =>
  QueryObject<DeliveriesQuery>({
    status: textParam(
      'status',
      'One or more of pending, in_flight, delivered, failed, cancelled; comma-separated.',
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
  });
