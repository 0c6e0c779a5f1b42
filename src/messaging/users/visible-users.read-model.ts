/**
 * The condition that the user of a column is visible to `:viewerId`, a caller without `view_members`. It is the same that
 * VisibleUsers checks.
 */
export function isVisibleToViewer(column: string): string {
  const mine = 'SELECT mine.channel_id FROM channel_members mine WHERE mine.user_id = :viewerId';
  const shared = `SELECT 1 FROM channel_members theirs WHERE theirs.user_id = ${column} AND theirs.channel_id IN (${mine})`;
  return `(${column} = :viewerId OR EXISTS (${shared}))`;
}
