/**
 * Filters of delivery lists, by their names in the URL. Times are in milliseconds; `after` is the cursor at
 * which a long list continues.
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

/** Time ranges to look back, in milliseconds. */
export const SPANS: Readonly<Record<string, number>> = {
  'an hour': 3_600_000,
  'a day': 86_400_000,
  'a week': 604_800_000,
};

/** Returns the filters that are set, and drops everything else from a URL or a saved view. */
export function activeFilters(given: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** Filters without the list cursor, which expires. */
export function lastingFilters({ after: _, ...filters }: Filters): Filters {
  return activeFilters(filters);
}

/** Whether two sets of filters find the same deliveries. */
export const areSameFilters = (one: Filters, other: Filters): boolean =>
  JSON.stringify(lastingFilters(one)) === JSON.stringify(lastingFilters(other));

/** API names of the filters that the user types. */
const TYPED = { http: 'http_status', endpoint: 'endpoint', id: 'delivery_id' } as const;

/** The server's error about a typed filter. */
export const faultOf = (name: keyof typeof TYPED, error: Error | null): Error | undefined =>
  error?.message.split(/[^a-z_]+/i).includes(TYPED[name]) === true ? error : undefined;

/** Whether an error is about a typed filter. */
export const isOfFilter = (error: Error | null): boolean =>
  (Object.keys(TYPED) as (keyof typeof TYPED)[]).some((name) => faultOf(name, error));

/** API query for the filters, without paging. */
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
