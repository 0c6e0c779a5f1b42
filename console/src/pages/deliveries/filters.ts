/**
 * The filters of lists of deliveries, by their names in the address. Times are milliseconds; `after` is the cursor behind which
 * a long list goes on.
 */
export const FILTERS = [
  'hook',
  'endpoint',
  'status',
  'error',
  'http',
  'id',
  'within',
  'since',
  'before',
  'after',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = { readonly [Name in FilterName]?: string | undefined };

/** What each filter is called. */
export const LABELS: Readonly<Record<FilterName, string>> = {
  hook: 'Webhook',
  endpoint: 'Endpoint',
  status: 'Status',
  error: 'Error',
  http: 'Answer',
  id: 'Delivery',
  within: 'Within',
  since: 'From',
  before: 'Until',
  after: 'Older ones',
};

/** The times that can be looked back, in milliseconds. */
export const SPANS: Readonly<Record<string, number>> = {
  'an hour': 3_600_000,
  'a day': 86_400_000,
  'a week': 604_800_000,
};

/** Those that are set, and nothing else that may be in an address or a saved view. */
export function activeFilters(given: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** What of the filters can be kept: without the place in a list, which is gone one day. */
export function lastingFilters({ after: _, ...filters }: Filters): Filters {
  return activeFilters(filters);
}

/** What the API calls a filter that one types. */
const TYPED = { http: 'http_status', endpoint: 'endpoint', id: 'delivery_id' } as const;

/** What the server says against a filter that was typed. */
export const faultOf = (name: keyof typeof TYPED, error: Error | null): Error | undefined =>
  error?.message.split(/[^a-z_]+/i).includes(TYPED[name]) === true ? error : undefined;

/** Whether what the server says stands beside a filter. */
export const isOfFilter = (error: Error | null): boolean =>
  (Object.keys(TYPED) as (keyof typeof TYPED)[]).some((name) => faultOf(name, error));

/** The query of the API. Without a page. */
export function questionOf(filters: Filters): Record<string, string | number> {
  const span = SPANS[filters.within ?? ''];
  const query = {
    hook_id: filters.hook,
    status: filters.status,
    error: filters.error,
    [TYPED.endpoint]: filters.endpoint,
    [TYPED.http]: filters.http,
    [TYPED.id]: filters.id,
    since: span === undefined ? filters.since : Date.now() - span,
    before: filters.before,
  };
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as Record<string, string | number>;
}
