import { HOOK_EVENTS } from '../../src/outgoing-hooks/events/hook-events.js';
import { BUILT_IN_ROLES } from '../../src/platform/access/access.js';
import { Audit } from '../../src/platform/audit/audit.entity.js';
import { MAX_VALUE_LENGTH } from '../../src/platform/config/settings.js';
import { MAX_ANSWER_BYTES } from '../../src/platform/common/json-budget.js';
import { MAX_HEADER_LENGTH, MAX_REPLY_BYTES } from '../../src/delivery/dispatch/attempt.js';
import { Delivery, DeliveryAttempt } from '../../src/delivery/dispatch/delivery.entity.js';
import { MAX_LISTED_ATTEMPTS } from '../../src/delivery/dispatch/deliveries.repository.js';
import { MAX_CHANGES } from '../../src/delivery/dispatch/call-limits.js';
import { MAX_SHOWN } from '../../src/delivery/dispatch/recoveries.service.js';
import { MAX_PREVIOUS_URLS } from '../../src/incoming-hooks/url-rotation/url-rotation.service.js';
import { IncomingHook } from '../../src/incoming-hooks/incoming-hook.entity.js';
import {
  MAX_MESSAGE_LENGTH as KEPT_MESSAGE,
  MAX_BODY_BYTES,
} from '../../src/incoming-hooks/kept-requests/request-keeper.js';
import { MAX_TEMPLATE_BYTES } from '../../src/incoming-hooks/formats/template.js';
import { KeptRequest } from '../../src/incoming-hooks/kept-requests/kept-request.entity.js';
import { Session } from '../../src/messaging/auth/session.entity.js';
import { MAX_SESSIONS_PER_USER } from '../../src/messaging/auth/sessions.service.js';
import { UserAccessToken } from '../../src/messaging/auth/user-access-token.entity.js';
import { Channel } from '../../src/messaging/channels/channel.entity.js';
import { ChannelMember } from '../../src/messaging/channels/channel-member.entity.js';
import {
  DEFAULT_NOTIFY_PROPS,
  MAX_HEADER_RUNES,
  MAX_NOTIFY_TEXT,
  NOTIFY_TEXTS,
} from '../../src/messaging/channels/channel.rules.js';
import { MAX_TEXT_BYTES } from '../../src/messaging/channels/channels.repository.js';
import { MAX_COMPLETED, MAX_FOUND } from '../../src/messaging/channels/team-channels.service.js';
import { MAX_KNOWN } from '../../src/messaging/users/listing/user-lists.read-model.js';
import { MAX_TIMEZONES } from '../../src/messaging/channels/channels.read-model.js';
import { MAX_MEMBERSHIPS } from '../../src/messaging/channels/user-channels.service.js';
import { MAX_CHANNELS_PER_USER } from '../../src/messaging/channels/channels.settings.js';
import { MAX_PERMISSIONS } from '../../src/messaging/permissions/roles.service.js';
import { Role } from '../../src/messaging/permissions/role.entity.js';
import { MAX_MESSAGE_RUNES, MAX_PROPS_RUNES } from '../../src/messaging/posts/content/split.js';
import { Post } from '../../src/messaging/posts/post.entity.js';
import {
  MAX_LIST_BYTES,
  MAX_REPLIES_BYTES,
  MAX_ROOTS_BYTES,
} from '../../src/messaging/posts/post-portions.repository.js';
import { Team } from '../../src/messaging/teams/team.entity.js';
import { TeamMember } from '../../src/messaging/teams/team-member.entity.js';
import { MAX_TEAMS_OF_USER } from '../../src/messaging/teams/teams.repository.js';
import { MAX_TEAMS_PER_USER } from '../../src/messaging/teams/teams.settings.js';
import {
  MAX_BYTES_PER_USER,
  MAX_PER_USER,
} from '../../src/messaging/users/preferences/preferences.service.js';
import { EMPTY_ANSWERS } from '../../src/messaging/system/empty-answers.controller.js';
import { User } from '../../src/messaging/users/user.entity.js';
import * as userRules from '../../src/messaging/users/user-rules.js';
import { MAX_REFUSING } from '../../src/incoming-hooks/kept-requests/kept-requests.service.js';
import { MAX_NETWORKS } from '../../src/incoming-hooks/verification/verifier.js';
import { MAX_PREVIEW_BYTES } from '../../src/incoming-hooks/preview.service.js';
import { MAX_PULLED_BYTES } from '../../src/delivery/dispatch/pull/pulled-calls.js';
import { MAX_AUTH_TEXT } from '../../src/outgoing-hooks/credentials/hook-auth.js';
import { MAX_HEADERS, MAX_HEADERS_LENGTH } from '../../src/outgoing-hooks/credentials/hook-headers.js';
import { MAX_EXCERPT_RUNES } from '../../src/outgoing-hooks/dry-run/dry-run.dto.js';
import { MAX_TRIED_POSTS } from '../../src/outgoing-hooks/dry-run/dry-run.service.js';
import { OutgoingHook } from '../../src/outgoing-hooks/outgoing-hook.entity.js';
import { MAX_LISTED_HOOKS, MAX_SHOWN_HOOKS } from '../../src/outgoing-hooks/endpoints/endpoints.service.js';
import { MAX_RETRIED } from '../../src/outgoing-hooks/delivery-log/recovery.dto.js';
import {
  MAX_CHARTED_HOOKS,
  MAX_OUTCOME_POINTS,
  MAX_POINTS,
} from '../../src/outgoing-hooks/delivery-stats/counts.js';
import { MAX_LEASES } from '../../src/outgoing-hooks/pulling/pull.service.js';
import { MAX_JOINED_BYTES } from '../../src/outgoing-hooks/outgoing-hook.rules.js';
import { RemoteCluster } from '../../src/remote-cluster/remote-cluster.entity.js';
import { SharedChannel, SharedChannelRemote } from '../../src/shared-channels/shared-channel.entity.js';

/*
 * Response sizes that are not in the OpenAPI document, for test/answer-sizes.spec.ts. All are bytes of JSON or
 * numbers of items, and each is enforced by the server: by the length of a column, a rule of the record, a limit
 * where rows are written or read, or a limit in bytes when the response is built.
 */

const KIB = 1024;
const QUOTES = 2;
/** The maximum bytes of a character in JSON: that of a control character. */
export const CHARACTER = 6;
/** The maximum bytes of a character of a text that is JSON already. */
const WRITTEN = 4;
const ID = 26 + QUOTES;
const NONE = 4;
/** The class of an error, and the note of an attempt. */
const MAX_ATTEMPT_TEXT = 32 + 2 + 255;
/** The host of a callback URL, and headers whose values the server sets. */
const REQUEST_HEADERS = 300 + KIB;
/** A generated secret. */
const SECRET = 64;
const text = (length: number): number => CHARACTER * length + QUOTES;

/** The table that a schema shows: its fields are as long as the columns. */
export const ENTITIES: Readonly<Record<string, { readonly name: string }>> = {
  AuditDto: Audit,
  ChannelDto: Channel,
  ChannelMemberDto: ChannelMember,
  ChannelWithTeamDto: Channel,
  DeliveryAttemptDto: DeliveryAttempt,
  DeliveryDetailDto: Delivery,
  DeliveryDto: Delivery,
  IncomingHookDto: IncomingHook,
  KeptRequestDto: KeptRequest,
  KeptRequestDetailDto: KeptRequest,
  OutgoingHookDto: OutgoingHook,
  SavedOutgoingHookDto: OutgoingHook,
  PlacedDeliveryDto: Delivery,
  PostDto: Post,
  RegeneratedHookDto: OutgoingHook,
  RemoteClusterDto: RemoteCluster,
  RoleDto: Role,
  SessionDto: Session,
  SharedChannelDto: SharedChannel,
  SharedChannelRemoteDto: SharedChannelRemote,
  TeamDto: Team,
  TeamInviteDto: Team,
  TeamMemberDto: TeamMember,
  UserAccessTokenDto: UserAccessToken,
  UserDto: User,
};

const HEADER = text(MAX_HEADER_RUNES);
const NOTIFY_PROPS =
  JSON.stringify(DEFAULT_NOTIFY_PROPS).length * 2 + NOTIFY_TEXTS.length * (32 + text(MAX_NOTIFY_TEXT));
/** The explicit ones, and three of the scheme; names consist of letters, digits and underscores. */
const MEMBER_ROLES = 256 + 3 * 16 + QUOTES;
/** Words or URLs of an outgoing webhook; each has three more characters in a list. */
const JOINED = (CHARACTER + 3) * MAX_JOINED_BYTES;
const ICON_URL = text(1024);
const CALLBACK_URL = text(1024);
const MESSAGE = text(MAX_MESSAGE_RUNES);
/** The maximum bytes of a character of printable ASCII in JSON. */
const PRINTABLE = 2;
const HOOK_HEADERS = PRINTABLE * MAX_HEADERS_LENGTH + MAX_HEADERS * 64;
const EVENTS = JSON.stringify(HOOK_EVENTS).length;
/** The bodies, in which each character can become two, and headers and ids. */
const MAX_PULLED_BYTES_IN_JSON = 2 * MAX_PULLED_BYTES + MAX_LEASES * (HOOK_HEADERS + 8 * KIB);
const hookFields = (name: string): Record<string, number> => ({
  [`${name}.token`]: SECRET,
  [`${name}.signing_secret`]: SECRET,
  [`${name}.icon_url`]: ICON_URL,
  [`${name}.trigger_words`]: JOINED,
  [`${name}.callback_urls`]: JOINED,
  [`${name}.disabled_urls`]: JOINED,
  [`${name}.failing_urls`]: JOINED,
  [`${name}.headers`]: HOOK_HEADERS,
  [`${name}.events`]: EVENTS,
});

/** Names the hosts of callback URLs. */
const WARNING = JOINED + KIB;

const channelFields = (name: string): Record<string, number> => ({
  [`${name}.header`]: HEADER,
  [`${name}.name`]: 64 + QUOTES,
  [`${name}.props`]: NONE,
  [`${name}.banner_info`]: NONE,
  [`${name}.default_category_name`]: NONE,
});

/** Fields whose size is not that of a column. */
export const FIELDS: Readonly<Record<string, number>> = {
  'AuditDto.parameters': text(1_000),
  'AuditDto.ip_address': text(64),
  'BatchErrorDto.message': text(KIB),
  'BatchErrorDto.detailed_error': text(KIB),
  'BotDto.username': text(64),
  'BotDto.display_name': text(64),
  'BotDto.description': text(1_024),
  'CheckedPeerDto.error': KIB,
  'CheckedPeerDto.advice': 2 * text(512) + KIB,
  'CheckedPeerDto.given_site_url': text(512),
  'CheckedPeerDto.site_url': text(512),
  'ChannelCategoriesDto.order': 3 * (80 + QUOTES),
  'ChannelCategoriesDto.categories': 3 * KIB + MAX_CHANNELS_PER_USER * (26 + QUOTES),
  'ChannelMemberWithTeamDto.roles': MEMBER_ROLES,
  'ChannelMemberWithTeamDto.explicit_roles': 256 + QUOTES,
  'ChannelMemberWithTeamDto.notify_props': NOTIFY_PROPS,
  'ChannelMemberWithTeamDto.team_display_name': text(64),
  'ChannelMemberWithTeamDto.team_name': 64 + QUOTES,
  'ChannelMemberDto.roles': MEMBER_ROLES,
  'ChannelMemberDto.explicit_roles': 256 + QUOTES,
  'ChannelMemberDto.notify_props': NOTIFY_PROPS,
  'ChannelViewedDto.last_viewed_at_times': 2 * 64,
  'CreatedRemoteClusterDto.invite': 8 * KIB,
  'CreatedRemoteClusterDto.password': text(1_024),
  'DeliveryAttemptDto.error': 32 + QUOTES,
  'DeliveryAttemptDto.request_headers': REQUEST_HEADERS,
  'DeliveryAttemptDto.reply': text(MAX_REPLY_BYTES),
  'DeliveryAttemptDto.reply_headers': 2 * MAX_HEADER_LENGTH,
  'DeliveryDetailDto.blocked_by': ID,
  'DeliveryDetailDto.callback_url': CALLBACK_URL,
  'DeliveryDetailDto.payload': MESSAGE + 32 * KIB,
  'DeliveryDto.blocked_by': ID,
  'DeliveryDto.callback_url': CALLBACK_URL,
  'DeliveryListDto.next_cursor': ID,
  'EndpointDto.endpoint': text(300),
  'EndpointDto.reason': text(128),
  'HookHealthDto.reason': text(128),
  'UrlHealthDto.url': text(1_022),
  'EndpointDetailDto.endpoint': text(300),
  'EndpointDetailDto.reason': text(128),
  'EndpointHookDto.display_name': text(64),
  'ExecutedDto.post_ids[]': ID,
  'ExecutedDto.ignored': text(256),
  'RocketChatAnswerDto.post_ids[]': ID,
  'RocketChatAnswerDto.ignored': text(256),
  'IncomingHookDto.slack_path': text(110),
  'IncomingHookDto.rocketchat_path': text(110),
  'IncomingHookDto.icon_url': ICON_URL,
  // Without control characters, JSON escapes a character as two.
  'IncomingHookDto.template': 2 * MAX_TEMPLATE_BYTES + QUOTES,
  'PreviewDto.ignored': text(256),
  'HookExplanationDto.trigger_word': text(MAX_JOINED_BYTES),
  'HookExplanationDto.display_name': text(64),
  'HookExplanationDto.explanation': KIB,
  'TriedPostDto.excerpt': text(MAX_EXCERPT_RUNES),
  'TriedPostDto.trigger_word_now': text(MAX_JOINED_BYTES),
  'TriedPostDto.would_be_trigger_word': text(MAX_JOINED_BYTES),
  'KeptRequestDto.message': text(KEPT_MESSAGE),
  'RefusingHookDto.last_message': text(KEPT_MESSAGE),
  'RefusingHookDto.display_name': text(64),
  'KeptRequestDetailDto.message': text(KEPT_MESSAGE),
  'KeptRequestDetailDto.headers': CHARACTER * 16 * KIB,
  'KeptRequestDetailDto.query_payload': text(2 * KIB),
  'KeptRequestDetailDto.body': text(MAX_BODY_BYTES * 1.4),
  'KeptRequestDetailDto.post_ids[]': ID,
  'LicenseDto.IsLicensed': 8,
  'MessageAnswerDto.err': 4 * KIB,
  'MessageAnswerDto.payload': 1024 * KIB,
  'PingDto.ActiveSearchBackend': 64,
  'PingDto.AndroidLatestVersion': NONE,
  'PingDto.AndroidMinVersion': NONE,
  'PingDto.IosLatestVersion': NONE,
  'PingDto.IosMinVersion': NONE,
  'PlacedDeliveryDto.blocked_by': ID,
  'PlacedDeliveryDto.callback_url': CALLBACK_URL,
  'PlacedDeliveryDto.hook_display_name': text(64),
  'PlacedDeliveryDto.team_name': text(64),
  'PlacedDeliveryDto.team_display_name': text(64),
  'PlacedDeliveryListDto.next_cursor': ID,
  'PostDto.message': MESSAGE,
  'PostDto.props': WRITTEN * MAX_PROPS_RUNES + KIB,
  'PostDto.metadata': 64 * KIB,
  'PostDto.participants': NONE,
  'PostDto.file_ids': NONE,
  'ReceivedReplyDto.body': text(MAX_REPLY_BYTES),
  'ReceivedReplyDto.error': 32 + QUOTES,
  'ReceivedReplyDto.note': text(255),
  'ReceivedReplyDto.headers': CHARACTER * 16 * KIB,
  'RemoteClusterDto.token': SECRET,
  'RemoteClusterDto.remote_token': SECRET,
  'RoleDto.description': text(255),
  'ReadinessDto.warnings[]': text(300),
  'SettledLeasesDto.settled[]': ID,
  'SettledLeasesDto.expired[]': ID,
  'RetriedDeliveryDto.id': ID,
  'RetryErrorDto.message': text(KIB),
  'RetryErrorDto.detailed_error': text(KIB),
  'RoleDto.permissions[]': 64 + QUOTES,
  'PulledDeliveriesDto.deliveries': MAX_PULLED_BYTES_IN_JSON,
  'SentRequestDto.url': CALLBACK_URL,
  'SentRequestDto.headers': 32 * KIB,
  'SentRequestDto.body': CHARACTER * (MESSAGE + 32 * KIB),
  'SessionDto.props': KIB,
  'SessionDto.roles': 256 + QUOTES,
  'SessionDto.team_members': NONE,
  'SessionDto.token': NONE,
  'SharedChannelDto.header': HEADER,
  'SharedChannelRemoteDto.invite_error': text(MAX_ATTEMPT_TEXT),
  'SharedChannelRemoteDto.pending_error': text(MAX_ATTEMPT_TEXT),
  'TeamMemberDto.roles': MEMBER_ROLES,
  'TeamMemberDto.explicit_roles': 256 + QUOTES,
  'UserAccessTokenDto.token': SECRET,
  'UserDto.auth_data': NONE,
  'UserDto.auth_service': NONE,
  'UserDto.props': WRITTEN * userRules.MAX_PROPS_RUNES,
  'UserDto.notify_props': WRITTEN * userRules.MAX_PROPS_RUNES,
  'UserDto.timezone': WRITTEN * userRules.MAX_TIMEZONE_RUNES,
  'UserThreadsDto.threads': NONE,
  'VerifierDto.networks[]': text(50),
  'HookAuthDto.username': PRINTABLE * 255 + QUOTES,
  'HookAuthDto.client_id': PRINTABLE * 255 + QUOTES,
  'HookAuthDto.scope': PRINTABLE * MAX_AUTH_TEXT + QUOTES,
  'HookAuthDto.audience': PRINTABLE * MAX_AUTH_TEXT + QUOTES,
  'POST /hooks/{id}': 4,
  'POST /services/{team}/{app}/{secret}': 4,
  'GET /api/v4/commands[]': NONE,
  'GET /api/v4/plugins/webapp[]': NONE,
  'SavedOutgoingHookDto.warnings[]': WARNING,
  'TestedDto.warnings[]': WARNING,
  'ChannelWithTeamDto.team_display_name': text(64),
  'ChannelWithTeamDto.team_name': text(64),
  'GET /api/v4/users/known[]': ID,
  ...channelFields('ChannelDto'),
  ...channelFields('ChannelWithTeamDto'),
  ...hookFields('OutgoingHookDto'),
  ...hookFields('RegeneratedHookDto'),
  ...hookFields('SavedOutgoingHookDto'),
};

const PAGE = 200;
const OWN_TEXTS = { fields: ['ChannelDto.header', 'ChannelDto.purpose'], bytes: MAX_TEXT_BYTES };

/** The maximum number of items in a list: a page, a limit of the request, or a limit when they are stored. */
export const ITEMS: Readonly<Record<string, number>> = {
  'DeliveryDetailDto.attempt_list': MAX_LISTED_ATTEMPTS,
  'SavedOutgoingHookDto.warnings': 4,
  'HookHealthDto.urls': 20,
  'TestedDto.warnings': 2,
  'ChannelsWithCountDto.channels': PAGE,
  'DeliveryListDto.deliveries': PAGE,
  'DeliveryStatsDto.points': MAX_POINTS,
  'EndpointDto.hooks': MAX_LISTED_HOOKS,
  'EndpointDetailDto.hooks': MAX_SHOWN_HOOKS,
  'EndpointLimitsDto.changes': MAX_CHANGES,
  'EndpointListDto.endpoints': PAGE,
  'ExecutedDto.post_ids': 10_000,
  'RocketChatAnswerDto.post_ids': 10_000,
  'DryRunDto.posts': MAX_TRIED_POSTS,
  'ExplanationDto.hooks': PAGE,
  'HookOutcomesDto.delivered': MAX_OUTCOME_POINTS,
  'HookOutcomesDto.failed': MAX_OUTCOME_POINTS,
  'IncomingHookListDto.incoming_webhooks': PAGE,
  'VerifierDto.networks': MAX_NETWORKS,
  'KeptRequestDetailDto.post_ids': 10_000,
  'OutcomesOfHooksDto.hooks': MAX_CHARTED_HOOKS,
  'PlacedDeliveryListDto.deliveries': PAGE,
  'ReadinessDto.warnings': 4,
  'RetriedDeliveriesDto.results': MAX_RETRIED,
  'SettledLeasesDto.settled': MAX_LEASES,
  'SettledLeasesDto.expired': MAX_LEASES,
  'RoleDto.permissions': MAX_PERMISSIONS,
  'TeamsWithCountDto.teams': PAGE,
  'GET /api/v4/hooks/outgoing/{hook_id}/recover': MAX_SHOWN,
  'GET /api/v4/hooks/outgoing/deliveries/recoveries': MAX_SHOWN,
  'GET /api/v4/hooks/incoming/refusing': MAX_REFUSING,
  'GET /api/v4/hooks/incoming/{hook_id}/previous_urls': MAX_PREVIOUS_URLS,
  'GET /api/v4/users/{user_id}/channels': MAX_CHANNELS_PER_USER,
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels': MAX_CHANNELS_PER_USER,
  'GET /api/v4/users/known': MAX_KNOWN,
  'GET /api/v4/teams/{team_id}/channels/autocomplete': MAX_COMPLETED,
  'GET /api/v4/teams/{team_id}/channels/search_autocomplete': MAX_COMPLETED,
  'POST /api/v4/channels/search': MAX_FOUND,
  'POST /api/v4/channels/group/search': MAX_FOUND,
  'POST /api/v4/teams/{team_id}/channels/search': MAX_FOUND,
  'POST /api/v4/teams/{team_id}/channels/search_archived': MAX_FOUND,
  'GET /api/v4/roles': BUILT_IN_ROLES.length,
  'GET /api/v4/users/{user_id}/sessions': MAX_SESSIONS_PER_USER,
  'GET /api/v4/users/{user_id}/teams': MAX_TEAMS_PER_USER,
  'GET /api/v4/users/{user_id}/teams/members': MAX_TEAMS_OF_USER,
  'GET /api/v4/users/{user_id}/teams/unread': MAX_TEAMS_OF_USER,
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels/members': MAX_CHANNELS_PER_USER,
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels/categories/order': 3,
  'GET /api/v4/users/{user_id}/channel_members': MAX_MEMBERSHIPS,
  'POST /api/v4/channels/{channel_id}/members': 1_000,
  'POST /api/v4/channels/{channel_id}/members/ids': 1_000,
  'POST /api/v4/roles/names': 100,
  'POST /api/v4/teams/search': 100,
  'POST /api/v4/teams/{team_id}/channels/ids': 1_000,
  'POST /api/v4/teams/{team_id}/members/batch': 256,
  'POST /api/v4/teams/{team_id}/members/ids': 1_000,
  'POST /api/v4/users/status/ids': 10_000,
  'POST /api/v4/users/tokens/search': 100,
  'GET /api/v4/channels/{channel_id}/timezones': MAX_TIMEZONES,
  'GET /api/v4/system/timezones': Intl.supportedValuesOf('timeZone').length,
  'GET /api/v4/commands': 0,
  'GET /api/v4/plugins/webapp': 0,
};

/** The order and the ids of found posts, and a single post that is read regardless of its size. */
const LIST_FRAME = 400 * KIB;
const ONE_POST = WRITTEN * MAX_PROPS_RUNES + MESSAGE + 80 * KIB;
const POST_LIST = MAX_LIST_BYTES + MAX_ROOTS_BYTES + LIST_FRAME;
/** Words of a search by post: each occurs in the terms. */
const MATCHES = PAGE * CHARACTER * 600;

/** Fields of list items with a common limit. */
export const TOGETHER: Readonly<
  Record<string, { readonly fields: readonly string[]; readonly bytes: number }>
> = {
  'GET /api/v4/users/{user_id}/channels': OWN_TEXTS,
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels': OWN_TEXTS,
};

/** Responses with a limit in bytes as a whole, when they are built or when their data is stored. */
export const ANSWERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    EMPTY_ANSWERS.map(([, route, , answer]) => [
      route.replace(' ', ' /api/v4/').replace(/:(\w+)/g, '{$1}'),
      JSON.stringify(answer).length,
    ]),
  ),
  'GET /api/v4/users/{user_id}/preferences': CHARACTER * MAX_BYTES_PER_USER + MAX_PER_USER * 120,
  'GET /api/v4/users/{user_id}/preferences/{category}': CHARACTER * MAX_BYTES_PER_USER + MAX_PER_USER * 120,
  'POST /api/v4/users/ids': MAX_ANSWER_BYTES,
  'POST /api/v4/users/usernames': MAX_ANSWER_BYTES,
  'POST /api/v4/users/search': MAX_ANSWER_BYTES,
  'GET /api/v4/users/autocomplete': MAX_ANSWER_BYTES,
  'GET /api/v4/channels/{channel_id}/posts': POST_LIST,
  'GET /api/v4/channels/{channel_id}/pinned': POST_LIST,
  'GET /api/v4/users/{user_id}/channels/{channel_id}/posts/unread': POST_LIST,
  'GET /api/v4/users/{user_id}/posts/flagged': POST_LIST,
  'GET /api/v4/posts/{post_id}/thread': MAX_REPLIES_BYTES + 2 * ONE_POST + LIST_FRAME,
  'GET /api/v4/posts/{post_id}/edit_history': MAX_LIST_BYTES,
  'POST /api/v4/posts/ids': MAX_LIST_BYTES,
  'POST /api/v4/teams/{team_id}/posts/search': MAX_LIST_BYTES + LIST_FRAME + MATCHES,
  // Fixed names, and values of settings.
  'GET /api/v4/config': 64 * KIB,
  'GET /api/v4/config/client': 64 * KIB,
  'POST /api/v4/hooks/incoming/{hook_id}/preview': MAX_PREVIEW_BYTES + ONE_POST,
  'GET /api/v4/system/settings': 100 * (CHARACTER * MAX_VALUE_LENGTH + 2 * KIB),
  // An image of 128 by 128 pixels.
  'GET /api/v4/users/{user_id}/image': 64 * KIB,
  // Labels come from small fixed sets.
  'GET /metrics': 2_048 * KIB,
  'POST /api/v4/remotecluster/{remote_id}/generate_invite': 8 * KIB,
};
