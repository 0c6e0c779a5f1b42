/** A call about something that Hookline does not have: operation id, method and path, what it lists, the answer. */
export type EmptyAnswer = readonly [
  id: string,
  route: `${'GET' | 'POST'} ${string}`,
  summary: string,
  answer: object,
];

const POSTS = { order: [], posts: {}, next_post_id: '', prev_post_id: '', has_next: false };
const FILES = { order: [], file_infos: {}, next_file_info_id: '', prev_file_info_id: '' };
const GROUPS = { groups: [], total_group_count: 0 };
const POLICIES = { policies: [], total_count: 0 };
const UNREAD = { msg_count: 0, msg_count_root: 0, mention_count: 0, mention_count_root: 0 };

/** Called by stock clients and libraries on their way; a new one is a new line (docs/contract/messaging.md#system-calls). */
export const EMPTY_ANSWERS: readonly EmptyAnswer[] = [
  ['getEmojiList', 'GET emoji', 'custom emoji', []],
  ['autocompleteEmoji', 'GET emoji/autocomplete', 'custom emoji by name', []],
  ['searchEmoji', 'POST emoji/search', 'custom emoji by a part of their name', []],
  ['getPluginStatuses', 'GET plugins/statuses', 'states of plugins', []],
  ['getPlugins', 'GET plugins', 'plugins', { active: [], inactive: [] }],
  ['getChannelUnread', 'GET users/:user_id/channels/:channel_id/unread', 'unread posts', { ...UNREAD }],
  ['getTeamUnread', 'GET users/:user_id/teams/:team_id/unread', 'unread posts of a team', { ...UNREAD }],
  ['getFlaggedPostsForUser', 'GET users/:user_id/posts/flagged', 'saved posts', POSTS],
  ['getDrafts', 'GET users/:user_id/teams/:team_id/drafts', 'drafts', []],
  [
    'getSidebarCategoryOrderForTeamForUser',
    'GET users/:user_id/teams/:team_id/channels/categories/order',
    'folders',
    [],
  ],
  ['getScheduledPosts', 'GET posts/scheduled/team/:team_id', 'scheduled posts', {}],
  ['getReactions', 'GET posts/:post_id/reactions', 'reactions', []],
  ['getBulkReactions', 'POST posts/ids/reactions', 'reactions to posts', {}],
  ['getFileInfosForPost', 'GET posts/:post_id/files/info', 'files of a post', []],
  ['searchFiles', 'POST teams/:team_id/files/search', 'files', FILES],
  ['getUploadsForUser', 'GET users/:user_id/uploads', 'uploads', []],
  ['getSupportedTimezone', 'GET system/timezones', 'time zones to choose from', []],
  ['getChannelMembersTimezones', 'GET channels/:channel_id/timezones', 'time zones of members', []],
  ['getChannelModerations', 'GET channels/:channel_id/moderations', 'moderations', []],
  ['getChannelBookmarks', 'GET channels/:channel_id/bookmarks', 'bookmarks', []],
  [
    'getChannelMemberCountsByGroup',
    'GET channels/:channel_id/member_counts_by_group',
    'members by group',
    [],
  ],
  ['getGroups', 'GET groups', 'groups', []],
  ['getGroupsByUserId', 'GET users/:user_id/groups', 'groups of a user', []],
  ['getGroupsByTeam', 'GET teams/:team_id/groups', 'groups of a team', GROUPS],
  ['getGroupsByChannel', 'GET channels/:channel_id/groups', 'groups of a channel', GROUPS],
  ['getGroupsAssociatedToChannelsByTeam', 'GET teams/:team_id/groups_by_channels', 'groups', { groups: {} }],
  ['autocompleteCommands', 'GET teams/:team_id/commands/autocomplete', 'slash commands', []],
  ['getUserAudits', 'GET users/:user_id/audits', 'audits of a user', []],
  ['getOAuthApps', 'GET oauth/apps', 'OAuth apps', []],
  ['getAuthorizedOAuthAppsForUser', 'GET users/:user_id/oauth/apps/authorized', 'OAuth apps of a user', []],
  ['getSchemes', 'GET schemes', 'permission schemes', []],
  [
    'getTeamPoliciesForUser',
    'GET users/:user_id/data_retention/team_policies',
    'retention policies',
    POLICIES,
  ],
  ['getChannelPoliciesForUser', 'GET users/:user_id/data_retention/channel_policies', 'retention', POLICIES],
  ['getJobs', 'GET jobs', 'jobs', []],
  ['getExports', 'GET exports', 'exports', []],
  ['getImports', 'GET imports', 'imports', []],
  ['getComplianceReports', 'GET compliance/reports', 'compliance reports', []],
  ['getClusterStatus', 'GET cluster/status', 'servers of a cluster', []],
  ['getProductNotices', 'GET system/notices/:team_id', 'notices', []],
  ['getWarnMetricsStatus', 'GET warn_metrics/status', 'warnings', {}],
  ['getAllCPAFields', 'GET custom_profile_attributes/fields', 'profile attributes', []],
  ['getCPAValues', 'GET users/:user_id/custom_profile_attributes', 'profile attributes of a user', {}],
];
