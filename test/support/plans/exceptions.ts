/** A statement that may read or sort more, and the reason. */
interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
  /** The only database that needs it. */
  readonly on?: 'sqlite' | 'mysql';
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    statement: /"Session"\."user_id" = \?\)\) ORDER BY "Session"\."last_activity_at"/,
    reason: 'the sessions of one user are sorted, at most 500',
    on: 'sqlite',
  },
  {
    statement: /"seq" = \S+ AND "post"\."original_id" = \? ORDER BY/,
    reason: 'the versions of one post are sorted, 200 or few more',
    on: 'sqlite',
  },
  {
    statement: /post\.rowid IN \(SELECT value FROM json_each|post_search MATCH \? AND rowid = post\.rowid/,
    reason: 'the full-text index names the posts to read, at most 1,000 at a time',
    on: 'sqlite',
  },
  {
    statement:
      /INTO post_search .* SELECT rowid, message FROM posts\s+WHERE id IN \(SELECT value FROM json_each/,
    reason: 'the posts of a commit are added to the full-text index in the order of their rows',
    on: 'sqlite',
  },
  {
    statement: /AS page_rows ORDER BY/,
    reason:
      'a page of deliveries of several statuses, or of channels of several types, is merged from one page of each',
    on: 'sqlite',
  },
  {
    statement: /\bid["`]? IN \(SELECT (?:tm|cm)\.user_id|team_members["`]? ["`]?m["`]? INNER JOIN ["`]?users/,
    reason: 'the members of one team or channel are sorted, at most 1,000',
  },
  {
    statement: /INSTR\(`hook`\.`callback_urls`, \?\)/,
    reason: 'a changed webhook is compared with those of its team, up to OUTGOING_WEBHOOKS_PER_TEAM',
    on: 'mysql',
  },
  {
    statement: /DELETE FROM ["`]?incoming_webhook_requests|incoming_webhook_requests["`]? ["`]?calls?\b/,
    reason: 'stored calls are limited to 2,000, with 50 per webhook',
  },
  {
    statement: /NOT EXISTS \(SELECT 1 FROM team_members tm|INSTR\(CONCAT\(' ', `u`\.`roles`/,
    reason:
      'accounts are checked one by one, until a page of those outside of teams, or with a role, is full',
    on: 'mysql',
  },
  {
    statement: /INSTR\(REPLACE\(LOWER\(|`id` LIKE \?/,
    reason: 'a search for a part of a name reads each name',
    on: 'mysql',
  },
  {
    statement:
      /["`]m["`]\.["`]user_id["`] = \?.* LIMIT (?:10000|1000|200)\b|\(\(["`]TeamMember["`]\.["`]user_id/,
    reason: 'the rows of one user are limited, and read as a whole',
  },
  {
    statement: /^SELECT COUNT\(1\) AS ["`]cnt["`] FROM ["`](?:teams|incoming_webhook_requests)["`]/,
    reason: 'teams are counted along an index, and stored calls are limited to 2,000',
  },
  {
    statement: /^SELECT COUNT\(1\) AS `cnt` FROM `users` `u` WHERE `u`\.`delete_at` = 0$/,
    reason: 'active accounts are counted along an index',
    on: 'mysql',
  },
  {
    statement: /^SELECT COUNT\(1\) AS `cnt` FROM `channels` `c` WHERE `c`\.`type` IN/,
    reason: 'channels are counted along an index',
    on: 'mysql',
  },
  {
    statement: /^SELECT COUNT\(\*\) AS hooks FROM incoming_webhooks h WHERE h\.delete_at = 0/,
    reason: 'webhooks are counted along an index, or one by one if the caller does not see all',
    on: 'mysql',
  },
  {
    statement: /^SELECT DISTINCT theirs\.user_id AS id FROM channel_members mine/,
    reason: 'the users that a user knows are collected: the members of their channels',
    on: 'sqlite',
  },
  {
    statement: /GROUP BY COALESCE\(post\.channel_id, message\.subject_id\)/,
    reason: 'the first 1,000 messages that wait for a peer are counted by their channels',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]delivery_stats["`] .*GROUP BY .*point_at/s,
    reason: 'the figures of 100 webhooks are added up to points, of which a chart has at most 168',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]delivery_recoveries["`] .*["`]finish_at["`] = 0\) AND .* ORDER BY/,
    reason: 'running recoveries are sorted, one per webhook',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]shared_channel_remotes["`] \S+ WHERE \(\(\S+ = 0\)\)/,
    reason: 'the shares of all channels are cached, and read as a whole on start',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]shared_channels["`] .* ORDER BY \S+display_name/,
    reason: 'the shared channels of a team are sorted by name',
  },
  {
    statement: /^SELECT COUNT\(\*\) AS count, MIN\(seq\) AS first FROM/,
    reason: 'the open deliveries of one webhook are counted, at most 1,000 of each status',
    on: 'mysql',
  },
  {
    statement: /users owner WHERE|team_members former WHERE/,
    reason: 'owners are checked one by one, until a page of webhooks with such owners is full',
    on: 'mysql',
  },
  {
    statement: /^SELECT DISTINCT ["`]u["`]\.["`]timezone["`]/,
    reason: 'the time zones of the members of one channel are collected',
  },
  {
    statement: /INNER JOIN ["`]preferences["`] ["`]flag["`] ON/,
    reason: 'the saved posts of one user are sorted',
    on: 'sqlite',
  },
];
