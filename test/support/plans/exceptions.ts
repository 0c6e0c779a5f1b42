/** A statement that may read or sort more, and why. */
interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
  /** The only database that it is needed on. */
  readonly on?: 'sqlite' | 'mysql';
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    statement: /"Session"\."user_id" = \?\)\) ORDER BY "Session"\."last_activity_at"/,
    reason: 'the sessions of one user are sorted, of which there are 500 at most',
    on: 'sqlite',
  },
  {
    statement: /"seq" = \S+ AND "post"\."original_id" = \? ORDER BY/,
    reason: 'the versions of one post are sorted, of which there are 200 or few more',
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
    reason: 'the members of one team or channel are sorted, of whom there are 1,000 at most',
  },
  {
    statement: /INSTR\(callback_urls, \?\)/,
    reason: 'a changed webhook is compared with those of its team, which may have OUTGOING_WEBHOOKS_PER_TEAM',
    on: 'mysql',
  },
  {
    statement: /DELETE FROM ["`]?incoming_webhook_requests|incoming_webhook_requests calls/,
    reason: 'calls that are kept are 2,000 at most, of which a webhook has 50',
  },
  {
    statement: /FROM \(SELECT theirs\.user_id FROM channel_members mine/,
    reason: 'whom a guest sees is sorted: the members of the channels that the guest is in',
  },
  {
    statement: /NOT EXISTS \(SELECT 1 FROM team_members tm|INSTR\(CONCAT\(' ', `u`\.`roles`/,
    reason: 'accounts are judged one by one, until a page of those outside of teams, or with a role, is full',
    on: 'mysql',
  },
  {
    statement: /INSTR\(REPLACE\(LOWER\(|`id` LIKE \?/,
    reason: 'a search for a part of a name looks at each name',
    on: 'mysql',
  },
  {
    statement: /["`]m["`]\.["`]user_id["`] = \?.* LIMIT (?:10000|1000)\b|\(\(["`]TeamMember["`]\.["`]user_id/,
    reason: 'what belongs to one person is bounded, and read as a whole',
  },
  {
    statement: /^SELECT COUNT\(1\) AS ["`]cnt["`] FROM ["`](?:teams|incoming_webhook_requests)["`]/,
    reason: 'teams are counted along an index, and calls that are kept are 2,000 at most',
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
    reason: 'webhooks are counted along an index, or one by one where the caller does not see all',
    on: 'mysql',
  },
  {
    statement: /^SELECT DISTINCT theirs\.user_id AS id FROM channel_members mine/,
    reason: 'whom somebody knows is gathered: the members of their channels',
    on: 'sqlite',
  },
  {
    statement: /GROUP BY COALESCE\(post\.channel_id, message\.subject_id\)/,
    reason: 'the first 1,000 messages that wait for a peer are counted by their channels',
    on: 'sqlite',
  },
  {
    statement: /FROM delivery_stats\s.*GROUP BY subject, point_at/s,
    reason: 'the figures of 100 webhooks are added up to points, of which a chart has 168 or fewer',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]delivery_recoveries["`] .*["`]finish_at["`] = 0\) AND .* ORDER BY/,
    reason: 'running recoveries are sorted, of which a webhook has one',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]shared_channel_remotes["`] \S+ WHERE \(\(\S+ = 0\)\)/,
    reason: 'the shares of all channels are kept in memory, and read as a whole at the start',
    on: 'sqlite',
  },
  {
    statement: /FROM ["`]shared_channels["`] .* ORDER BY \S+display_name/,
    reason: 'the shared channels of a team are sorted by name',
  },
  {
    statement: /users owner WHERE|team_members former WHERE/,
    reason: 'owners are judged one by one, until a page of webhooks with such owners is full',
    on: 'mysql',
  },
  {
    statement: /^SELECT DISTINCT u\.timezone AS timezone FROM channel_members/,
    reason: 'the time zones of the members of one channel are gathered',
  },
  {
    statement: /INNER JOIN ["`]preferences["`] ["`]flag["`] ON/,
    reason: 'the posts that one user has saved are sorted',
    on: 'sqlite',
  },
];
