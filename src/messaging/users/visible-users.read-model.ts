/**
 * The condition that the user of a column is visible to `:viewerId`, a caller without `view_members`. It is the same that
 * VisibleUsers checks. Whom a guest sees is found first: they are few beside all accounts.
 */
export function isVisibleToViewer(column: string): string {
  const shared =
    'SELECT theirs.user_id FROM channel_members mine JOIN channel_members theirs ON theirs.channel_id = mine.channel_id WHERE mine.user_id = :viewerId';
  return `${column} IN (SELECT seen.user_id FROM (${shared} UNION SELECT :viewerId) seen)`;
}
