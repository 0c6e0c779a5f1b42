import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, ApiError, type Schemas } from '../../api/client';
import { following } from '../../api/following';

export type Setting = Schemas['SettingDto'];
export type AuditRow = Schemas['AuditDto'];

export const settingsInForce = queryOptions({
  queryKey: ['system', 'settings'],
  queryFn: () => answerOf(api.GET('/api/v4/system/settings')),
});

/** Whether the server is ready, and its problems. */
export interface Health {
  readonly isReady: boolean;
  readonly problems: readonly string[];
}

export const health = queryOptions({
  queryKey: ['system', 'health'],
  queryFn: readHealth,
  refetchInterval: 5_000,
});

/** A server that is not ready responds with an error status and the reasons. */
async function readHealth(): Promise<Health> {
  try {
    const { warnings = [] } = await answerOf(api.GET('/health/ready'));
    return { isReady: true, problems: warnings };
  } catch (error) {
    if (error instanceof ApiError && error.status === 503)
      return { isReady: false, problems: [error.message] };
    throw error;
  }
}

const MAX_COUNTED = 200;

/** Queued calls of outgoing webhooks. */
export interface Queue {
  readonly count: number;
  readonly isCut: boolean;
  /** Creation time of the oldest queued call; 0 if the queue is empty. */
  readonly oldestAt: number;
}

export const queue = queryOptions({
  queryKey: ['system', 'queue'],
  queryFn: readQueue,
  refetchInterval: 5_000,
});

async function readQueue(): Promise<Queue> {
  const query = { status: 'pending,in_flight', per_page: MAX_COUNTED };
  const { deliveries, next_cursor: next } = await answerOf(
    api.GET('/api/v4/hooks/outgoing/deliveries', { params: { query } }),
  );
  const oldestAt = deliveries.reduce((least, row) => Math.min(least, row.create_at), Infinity);
  return { count: deliveries.length, isCut: next !== '', oldestAt: oldestAt === Infinity ? 0 : oldestAt };
}

/** Audit log filters, as in the URL. */
export interface AuditFilters {
  readonly by?: string | undefined;
  readonly action?: string | undefined;
  readonly result?: string | undefined;
  readonly within?: string | undefined;
  /** In milliseconds. */
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Time ranges to look back, in milliseconds. */
export const SPANS: Readonly<Record<string, number>> = {
  'an hour': 3_600_000,
  'a day': 86_400_000,
  'a week': 604_800_000,
  'a month': 2_592_000_000,
};

const PAGE = 100;

/** Audit log, newest first. Pages use the last row as cursor, so that no row appears twice. */
export const audits = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['system', 'audits', filters],
    queryFn: async ({ pageParam: after }): Promise<readonly AuditRow[]> => {
      const span = SPANS[filters.within ?? ''];
      const query = {
        per_page: PAGE,
        ...(after && { after }),
        ...(filters.by && { user_id: await userIdOf(filters.by) }),
        ...(filters.action && { action: filters.action }),
        ...(filters.result && { result: filters.result }),
        ...(filters.since && { since: filters.since }),
        ...(span !== undefined && { since: Date.now() - span }),
        ...(filters.before && { before: filters.before }),
      };
      return answerOf(api.GET('/api/v4/audits', { params: { query: query as never } }));
    },
    initialPageParam: '',
    getNextPageParam: (rows) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    ...following(),
  });

async function userIdOf(username: string): Promise<string> {
  const { id } = await answerOf(
    api.GET('/api/v4/users/username/{username}', { params: { path: { username } } }),
  );
  return id;
}
