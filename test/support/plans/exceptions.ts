/** A statement that may read or sort more, and why. */
interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
  /** The only database that it is needed on. */
  readonly on?: 'sqlite' | 'mysql';
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    statement: /"seq" = \S+ AND "post"\."original_id" = \? ORDER BY/,
    reason: 'the versions of one post are sorted, of which there are 200 or few more',
    on: 'sqlite',
  },
  {
    statement: /AS page_rows ORDER BY/,
    reason: 'a page of deliveries of several statuses is merged from one page of each',
    on: 'sqlite',
  },
  {
    statement: /^SELECT COUNT\(/,
    reason: 'a total is counted along an index',
    on: 'mysql',
  },
  {
    statement: /users owner WHERE|team_members former WHERE/,
    reason: 'owners are judged one by one, until a page of webhooks with such owners is full',
    on: 'mysql',
  },
  {
    statement: /channels place WHERE/,
    reason:
      'channels are judged one by one, until a page of webhooks with channels that the caller may read is full',
    on: 'mysql',
  },
];
