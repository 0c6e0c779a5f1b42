/**
 * The condition that the user of a column is visible to `:viewerId`, a caller without `view_members`. Same
 * rule as VisibleUsers. A guest's visible users are looked up first: they are few compared to all accounts.
 */
export function isVisibleToViewer(column: string): string {
  const shared =
    'SELECT theirs.user_id FROM channel_members mine JOIN channel_members theirs ON theirs.channel_id = mine.channel_id WHERE mine.user_id = :viewerId';
  return `${column} IN (SELECT seen.user_id FROM (${shared} UNION SELECT :viewerId) seen)`;
}
