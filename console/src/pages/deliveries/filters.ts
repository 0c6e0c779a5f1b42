/** The filters of lists of deliveries, by their names in the address. Times are milliseconds. */
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

/** The query of the API. Without a page. */
export function questionOf(filters: Filters): Record<string, string | number> {
  const span = SPANS[filters.within ?? ''];
  const query = {
    hook_id: filters.hook,
    endpoint: filters.endpoint,
    status: filters.status,
    error: filters.error,
    http_status: filters.http,
    delivery_id: filters.id,
    since: span === undefined ? filters.since : Date.now() - span,
    before: filters.before,
  };
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as Record<string, string | number>;
}
