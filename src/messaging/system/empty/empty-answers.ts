/**
 * A call about something that Hookline does not have: operation id, method and path, what it is about, and the answer.
 * A text is the reason of a 501, for what cannot be said to be empty.
 */
export type EmptyAnswer = readonly [
  id: string,
  route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`,
  summary: string,
  answer: object | string,
];

const FOLDERS = 'users/:user_id/teams/:team_id/channels/categories';
const FIXED_FOLDERS =
  'Folders of the channel list are fixed. A channel becomes a favorite by a preference of the category favorite_channel.';
const FILES = { order: [], file_infos: {}, next_file_info_id: '', prev_file_info_id: '' };
const GROUPS = { groups: [], total_group_count: 0 };
const POLICIES = { policies: [], total_count: 0 };

/** Called by stock clients and libraries on their way; a new one is a new line (docs/contract/messaging.md#system-calls). */
export const EMPTY_ANSWERS: readonly EmptyAnswer[] = [
  ['getEmojiList', 'GET emoji', 'custom emoji', []],
  ['autocompleteEmoji', 'GET emoji/autocomplete', 'custom emoji by name', []],
  ['searchEmoji', 'POST emoji/search', 'custom emoji by a part of their name', []],
  ['getPluginStatuses', 'GET plugins/statuses', 'states of plugins', []],
  ['getPlugins', 'GET plugins', 'plugins', { active: [], inactive: [] }],
  ['getDrafts', 'GET users/:user_id/teams/:team_id/drafts', 'drafts', []],
  ['createSidebarCategoryForTeamForUser', `POST ${FOLDERS}`, 'folders', FIXED_FOLDERS],
  ['updateSidebarCategoriesForTeamForUser', `PUT ${FOLDERS}`, 'folders', FIXED_FOLDERS],
  ['updateSidebarCategoryOrderForTeamForUser', `PUT ${FOLDERS}/order`, 'order of folders', FIXED_FOLDERS],
  [
    'createPostEphemeral',
    'POST posts/ephemeral',
    'messages for one user',
    'Messages that only one user sees are not available: post to the direct channel with the user.',
  ],
  ['getScheduledPosts', 'GET posts/scheduled/team/:team_id', 'scheduled posts', {}],
  ['getReactions', 'GET posts/:post_id/reactions', 'reactions', []],
  ['getBulkReactions', 'POST posts/ids/reactions', 'reactions to posts', {}],
  ['getFileInfosForPost', 'GET posts/:post_id/files/info', 'files of a post', []],
  ['searchFiles', 'POST teams/:team_id/files/search', 'files', FILES],
  ['getUploadsForUser', 'GET users/:user_id/uploads', 'uploads', []],
  [
    'getChannelModerations',
    'GET channels/:channel_id/moderations',
    'moderations',
    'Channels have no moderation of their own: permissions come from roles.',
  ],
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
  [
    'getUserAudits',
    'GET users/:user_id/audits',
    'audits of a user',
    'Administrators list audits with GET /audits.',
  ],
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
  [
    'getClusterStatus',
    'GET cluster/status',
    'servers of a cluster',
    'This server does not list the processes that share its database.',
  ],
  ['getProductNotices', 'GET system/notices/:team_id', 'notices', []],
  ['getWarnMetricsStatus', 'GET warn_metrics/status', 'warnings', {}],
  ['getAllCPAFields', 'GET custom_profile_attributes/fields', 'profile attributes', []],
  ['getCPAValues', 'GET users/:user_id/custom_profile_attributes', 'profile attributes of a user', {}],
];
