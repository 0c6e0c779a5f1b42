import { idParam, QueryObject, textParam } from '../common/dto/query-object.js';
import { LAST_OF_PAGE_BEFORE } from '../common/dto/params.js';
import { InvalidUrlParam } from '../common/errors/common-errors.js';

/** How the audit log is narrowed; undefined does not. */
export interface AuditFilter {
  readonly userId: string | undefined;
  readonly action: string | undefined;
  readonly result: string | undefined;
  readonly since: number | undefined;
  readonly before: number | undefined;
  /** The row before the page. */
  readonly after: string | undefined;
}

const RESULTS = ['success', 'fail'];
const ACTION = /^[A-Za-z_]{1,64}$/;
/** The last time that a query can name. */
const MAX_TIME = 8_640_000_000_000;
const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

/** The filters of the audit log. */
export const QueryAudits = (): ParameterDecorator =>
  QueryObject<AuditFilter>({
    userId: idParam('user_id', 'What this user did only.'),
    action: {
      ...textParam('action', {
        description: 'This action only, by its whole name.',
        schema: { pattern: ACTION.source },
        example: 'create_incoming_webhook',
      }),
      parse: actionOf,
    },
    result: {
      ...textParam('result', { description: 'With this result only.', schema: { enum: RESULTS } }),
      parse: resultOf,
    },
    since: {
      ...textParam('since', {
        description: 'At or after this time; milliseconds since the epoch.',
        schema: TIME,
      }),
      parse: timeOf,
    },
    before: {
      ...textParam('before', {
        description: 'Before this time; milliseconds since the epoch.',
        schema: TIME,
      }),
      parse: timeOf,
    },
    after: idParam('after', LAST_OF_PAGE_BEFORE),
  });

function actionOf(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!ACTION.test(text)) throw new InvalidUrlParam(name, 'it must be 1 to 64 letters and underscores');
  return text;
}

function resultOf(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!RESULTS.includes(text)) throw new InvalidUrlParam(name, `it must be one of ${RESULTS.join(', ')}`);
  return text;
}

function timeOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,13}$/.test(text)) throw new InvalidUrlParam(name, 'it must be milliseconds since the epoch');
  return Math.min(Number(text), MAX_TIME);
}
