import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam } from '../../platform/common/dto/params.js';
import { UserIdParam } from '../users/user-id-param.js';
import { AppError } from '../../platform/common/errors/app-error.js';

/** The server lacks this feature, and an empty response would be wrong. */
export const notAvailable = (message: string) =>
  new AppError(501, 'api.context.not_available.app_error', message);

/**
 * A call about a feature that Hookline does not have: operation id, method and path, subject, and response.
 * A string is the reason for a 501, used where an empty response would be wrong.
 */
type EmptyAnswer = readonly [
  id: string,
  route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`,
  summary: string,
  answer: object | string,
];

const FOLDERS = 'users/:user_id/teams/:team_id/channels/categories';
const FIXED_FOLDERS =
  'Sidebar categories are fixed. A channel becomes a favorite by a preference of the category favorite_channel.';
const NO_GUESTS = 'Guest accounts are not available.';
const FILES = { order: [], file_infos: {}, next_file_info_id: '', prev_file_info_id: '' };
const GROUPS = { groups: [], total_group_count: 0 };
const POLICIES = { policies: [], total_count: 0 };

/** Calls made by stock clients and libraries, one per line (docs/contract/messaging.md#system-calls). */
export const EMPTY_ANSWERS: readonly EmptyAnswer[] = [
  ['getEmojiList', 'GET emoji', 'custom emoji', []],
  ['autocompleteEmoji', 'GET emoji/autocomplete', 'custom emoji by name', []],
  ['searchEmoji', 'POST emoji/search', 'custom emoji by a part of their name', []],
  ['getPluginStatuses', 'GET plugins/statuses', 'states of plugins', []],
  ['getPlugins', 'GET plugins', 'plugins', { active: [], inactive: [] }],
  ['getDrafts', 'GET users/:user_id/teams/:team_id/drafts', 'drafts', []],
  ['createSidebarCategoryForTeamForUser', `POST ${FOLDERS}`, 'folders', FIXED_FOLDERS],
  ['updateSidebarCategoriesForTeamForUser', `PUT ${FOLDERS}`, 'folders', FIXED_FOLDERS],
  [
    'updateSidebarCategoryOrderForTeamForUser',
    `PUT ${FOLDERS}/order`,
    'order of sidebar categories',
    FIXED_FOLDERS,
  ],
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
    'Channels have no separate moderation: permissions come from roles.',
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
  ['promoteGuestToUser', 'POST users/:user_id/promote', 'guest accounts', NO_GUESTS],
  ['demoteUserToGuest', 'POST users/:user_id/demote', 'guest accounts', NO_GUESTS],
  ['inviteGuestsToTeam', 'POST teams/:team_id/invite-guests/email', 'guest accounts', NO_GUESTS],
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

export const EMPTY_TAG = 'not available';

/** Answers calls about missing features, with one handler per line of the table. */
@ApiTags(EMPTY_TAG)
@SignedIn()
@Controller()
export class EmptyAnswersController {}

const METHODS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

for (const line of EMPTY_ANSWERS) addHandler(line);

function addHandler([id, route, summary, answer]: EmptyAnswer): void {
  const [method, path] = route.split(' ') as [keyof typeof METHODS, string];
  const { prototype } = EmptyAnswersController;
  const handle = typeof answer === 'string' ? refusing(answer) : () => answer;
  // Named after the operation, because the API description uses the function name.
  const { [id]: handler } = { [id]: () => handle() };
  const descriptor: PropertyDescriptor = { value: handler, configurable: true, writable: true };
  Object.defineProperty(prototype, id, descriptor);
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  for (const [index, name] of names.entries()) {
    const param = name === 'user_id' ? UserIdParam() : IdParam(name, 'The id, which is not looked up.');
    param(prototype, id, index);
  }
  const documentation =
    typeof answer === 'string'
      ? { summary: `Not available: ${summary}`, description: answer, errors: [501] }
      : { summary: `Always empty: ${summary}`, ok: schemaOf(answer) };
  for (const decorate of [METHODS[method](path), HttpCode(200), Operation(documentation)])
    decorate(prototype, id, descriptor);
}

function refusing(reason: string): () => never {
  return () => {
    throw notAvailable(reason);
  };
}

function schemaOf(answer: object) {
  const type = Array.isArray(answer)
    ? { type: 'array', items: { type: 'object' } }
    : { type: 'object', additionalProperties: true };
  return { schema: { ...type, example: answer } as object };
}
