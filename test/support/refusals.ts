import { EMPTY_ANSWERS } from '../../src/messaging/system/empty/empty-answers.controller.js';
import { type Callers, MARKER, type PrivateWorld } from '../factories/private-world.js';

/** A request by somebody without the right, and what it is answered. */
export interface Refusal {
  readonly by: keyof Callers;
  readonly params?: (world: PrivateWorld) => Readonly<Record<string, string>>;
  readonly query?: (world: PrivateWorld) => string;
  readonly body?: (world: PrivateWorld) => unknown;
  /** Other than 403: 404 where the contract hides what exists, 200 where it leaves out what the caller may not see. */
  readonly status?: 200 | 201 | 404;
  /** What a caller with the right is answered; a success unless it is said. */
  readonly allowed?: number;
}

const PASSWORD = 'told over the telephone';

type Fields = Omit<Refusal, 'by'>;
type Body = Refusal['body'];

const outsider = (body?: Body, fields: Fields = {}): Refusal => ({
  by: 'outsider',
  ...also(body),
  ...fields,
});
const member = (body?: Body, fields: Fields = {}): Refusal => ({ by: 'member', ...also(body), ...fields });
const teamAdmin = (body?: Body, fields: Fields = {}): Refusal => ({
  ...member(body, fields),
  by: 'teamAdmin',
});
const supporter = (body?: Body, fields: Fields = {}): Refusal => ({
  ...member(body, fields),
  by: 'supporter',
});
const guest = (body?: Body, fields: Fields = {}): Refusal => ({ ...member(body, fields), by: 'guest' });
const channelManager = (body?: Body, fields: Fields = {}): Refusal => ({
  ...member(body, fields),
  by: 'channelManager',
});
const also = (body: Body): Pick<Refusal, 'body'> => (body ? { body } : {});

const inOpen = { params: ({ open }: PrivateWorld) => ({ channel_id: open.id }) };
const ofOther = { params: ({ other }: PrivateWorld) => ({ user_id: other.id }) };
const ofAdmin = { params: ({ administrator }: PrivateWorld) => ({ user_id: administrator.id }) };
const inClosedHook = { params: ({ closedIncoming }: PrivateWorld) => ({ hook_id: closedIncoming.id }) };
const ofWideHook = { params: ({ wideOutgoing }: PrivateWorld) => ({ hook_id: wideOutgoing.id }) };
const ofOpenPost = { params: ({ openPost }: PrivateWorld) => ({ post_id: openPost.id }) };
const ofOpenTeam = { params: ({ openTeam }: PrivateWorld) => ({ team_id: openTeam.id }) };
const ofArchivedTeam = { params: ({ archivedTeam }: PrivateWorld) => ({ team_id: archivedTeam.id }) };
const ofAdminToken = { params: ({ adminToken }: PrivateWorld) => ({ token_id: adminToken.id }) };
const namedOpen = { params: ({ open }: PrivateWorld) => ({ channel_name: open.name }) };
const noInvite = { allowed: 400 };
const notConfirmed = { allowed: 400 };
const notShared = { allowed: 404 };
const notKept = { allowed: 404 };
const notOfAll = { allowed: 404 };
const leavesOut = { status: 200 } as const;
const hides = { status: 404 } as const;

const preferences: Body = ({ victim }) => [
  { user_id: victim.id, category: 'songs', name: MARKER, value: 'changed' },
];
const profile: Body = ({ victim }) => ({
  id: victim.id,
  username: victim.username,
  email: victim.email,
  position: 'changed',
});
const roles =
  (names: string): Body =>
  () => ({ roles: names });
const schemeRoles: Body = () => ({ scheme_user: true, scheme_admin: true });
const noDeliveries: Body = () => ({ filter: { endpoint: 'https://nobody.example', before: 1 } });
const oneDelivery: Body = ({ delivery }) => ({ ids: [delivery.id] });
const chartedHooks: Body = ({ outgoing, wideOutgoing }) => ({ hook_ids: [outgoing.id, wideOutgoing.id] });
const newBot: Body = ({ newId }) => ({ username: newId() });
const tokenId: Body = ({ token }) => ({ token_id: token.id });
const adminTokenId: Body = ({ adminToken }) => ({ token_id: adminToken.id });
const changedTeam: Body = ({ team }) => ({ ...team, description: 'changed' });
const changedChannel: Body = ({ closed }) => ({ ...closed, header: 'changed' });
const changedPost: Body = ({ post }) => ({ id: post.id, message: 'changed' });
const changedRemote: Body = () => ({ display_name: 'changed' });
const newRemote: Body = ({ team, newId }) => ({
  name: newId(),
  default_team_id: team.id,
  password: PASSWORD,
});
const newInvite: Body = () => ({ password: PASSWORD });
const newToken: Body = () => ({ description: 'new' });
const newPassword: Body = ({ password }) => ({ new_password: `${password}!` });
const accepted: Body = ({ team, newId }) => ({
  name: newId(),
  default_team_id: team.id,
  invite: 'none',
  password: PASSWORD,
});
const profileOfAdmin: Body = ({ administrator: { id, username, email } }) => ({
  id,
  username,
  email,
  position: 'changed',
});
const explained =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({
    channel_id: world[channel].id,
    message: 'deploy',
  });
const tried =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({
    team_id: world.team.id,
    trigger_words: ['deploy'],
    in_channel_id: world[channel].id,
  });
const triedIn =
  (channel: 'open' | 'closed'): Body =>
  (world) => ({ in_channel_id: world[channel].id });
const newOutgoing =
  (fields: (world: PrivateWorld) => object = () => ({})): Body =>
  (world) => ({
    team_id: world.team.id,
    channel_id: world.open.id,
    display_name: 'new',
    trigger_words: [world.newId()],
    callback_urls: ['http://127.0.0.1:9/'],
    ...fields(world),
  });
const newIncoming =
  (channel: 'open' | 'closed', fields: (world: PrivateWorld) => object = () => ({})): Body =>
  (world) => ({ channel_id: world[channel].id, display_name: 'new', ...fields(world) });

/**
 * For each route that not everybody may call: requests of callers without the right. Those without a status are
 * refused with 403. A system administrator sends each of them too, in this order, and is allowed to.
 */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  'GET /audits': [outsider(), teamAdmin()],

  'GET /config': [teamAdmin(), supporter()],
  'GET /system/settings': [teamAdmin(), supporter()],

  'POST /channels': [
    outsider(({ team, newId }) => ({ team_id: team.id, name: newId(), display_name: 'new', type: 'O' })),
    outsider(({ team, newId }) => ({ team_id: team.id, name: newId(), display_name: 'new', type: 'P' })),
  ],
  'GET /channels': [teamAdmin(), supporter()],
  'POST /channels/search': [
    teamAdmin(() => ({ term: MARKER })),
    outsider(() => ({ term: MARKER }), { ...leavesOut, query: () => 'system_console=false' }),
  ],
  'POST /channels/group/search': [outsider(() => ({ term: MARKER }), leavesOut)],
  'GET /channels/:channel_id': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'PUT /channels/:channel_id': [outsider(changedChannel), teamAdmin(changedChannel)],
  'PUT /channels/:channel_id/patch': [
    outsider(() => ({ header: 'changed' })),
    teamAdmin(() => ({ header: 'changed' })),
    outsider(() => ({ header: 'changed' }), inOpen),
    teamAdmin(() => ({ header: 'changed' }), inOpen),
  ],
  'GET /channels/:channel_id/members': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'POST /channels/:channel_id/members': [
    outsider(({ ids }) => ({ user_id: ids.outsider }), { ...inOpen, allowed: 404 }),
    outsider(({ other }) => ({ user_id: other.id }), inOpen),
    outsider(({ other }) => ({ user_id: other.id })),
    teamAdmin(({ other }) => ({ user_id: other.id })),
  ],
  'GET /channels/:channel_id/members/:user_id': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'PUT /channels/:channel_id/members/:user_id/notify_props': [outsider(() => ({})), teamAdmin(() => ({}))],
  'PUT /channels/:channel_id/members/:user_id/roles': [
    outsider(roles('channel_user')),
    member(roles('channel_user')),
    teamAdmin(roles('channel_user')),
  ],
  'PUT /channels/:channel_id/members/:user_id/schemeRoles': [
    outsider(schemeRoles),
    member(schemeRoles),
    teamAdmin(schemeRoles),
  ],
  'POST /channels/:channel_id/members/ids': [
    outsider(({ victim }) => [victim.id]),
    teamAdmin(({ victim }) => [victim.id]),
  ],
  'GET /channels/:channel_id/pinned': [outsider(), teamAdmin()],
  'GET /channels/:channel_id/posts': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'PUT /channels/:channel_id/privacy': [
    outsider(() => ({ privacy: 'P' }), inOpen),
    member(() => ({ privacy: 'P' }), inOpen),
    member(() => ({ privacy: 'O' })),
    teamAdmin(() => ({ privacy: 'O' })),
    // Back again, for what follows.
    outsider(() => ({ privacy: 'O' }), inOpen),
    member(() => ({ privacy: 'P' })),
  ],
  'POST /channels/:channel_id/restore': [outsider(), member(), teamAdmin()].map((refusal) => ({
    ...refusal,
    params: ({ archived }: PrivateWorld) => ({ channel_id: archived.id }),
  })),
  'GET /channels/:channel_id/stats': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'GET /channels/:channel_id/timezones': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'POST /channels/direct': [outsider(({ victim, other }) => [victim.id, other.id])],
  'POST /channels/group': [guest(({ victim, other }) => [victim.id, other.id])],
  'POST /channels/members/:user_id/view': [outsider(({ closed }) => ({ channel_id: closed.id }))],
  'GET /commands': [outsider(undefined, { query: ({ team }) => `team_id=${team.id}` })],

  'GET /hooks/incoming': [
    outsider(undefined, { query: ({ team }) => `team_id=${team.id}` }),
    member(undefined, { query: ({ team }) => `team_id=${team.id}` }),
    teamAdmin(),
  ],
  'POST /hooks/incoming': [
    outsider(newIncoming('open')),
    member(newIncoming('open')),
    teamAdmin(newIncoming('closed')),
  ],
  'GET /hooks/incoming/:hook_id': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
  'PUT /hooks/incoming/:hook_id': [
    outsider(({ incoming }) => incoming),
    member(({ incoming }) => incoming),
    // A move needs the permission in both places.
    teamAdmin(({ incoming, closed }) => ({ ...incoming, channel_id: closed.id })),
    teamAdmin(({ closedIncoming, open }) => ({ ...closedIncoming, channel_id: open.id }), inClosedHook),
    channelManager(({ incoming, elsewhere }) => ({ ...incoming, channel_id: elsewhere.id })),
    channelManager(({ movedIncoming, open }) => ({ ...movedIncoming, channel_id: open.id }), {
      params: ({ movedIncoming }) => ({ hook_id: movedIncoming.id }),
    }),
  ],
  'GET /hooks/incoming/:hook_id/requests': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
  'GET /hooks/incoming/:hook_id/requests/:request_id': [
    outsider(undefined, notKept),
    member(undefined, notKept),
    teamAdmin(undefined, { ...notKept, ...inClosedHook }),
  ],
  'POST /hooks/incoming/:hook_id/requests/:request_id/replay': [
    outsider(undefined, notKept),
    member(undefined, notKept),
    teamAdmin(undefined, { ...notKept, ...inClosedHook }),
  ],
  'GET /hooks/incoming/refusing': [outsider(), teamAdmin()],
  'POST /hooks/incoming/:hook_id/preview': [
    outsider(() => ({ payload: '{"text":"text"}' })),
    member(() => ({ payload: '{"text":"text"}' })),
    teamAdmin(() => ({ payload: '{"text":"text"}' }), inClosedHook),
  ],
  'GET /hooks/outgoing': [
    outsider(undefined, { query: ({ team }) => `team_id=${team.id}` }),
    member(undefined, { query: ({ open }) => `channel_id=${open.id}` }),
    teamAdmin(),
  ],
  'POST /hooks/outgoing': [
    outsider(newOutgoing()),
    member(newOutgoing()),
    channelManager(newOutgoing(() => ({ channel_id: '' }))),
  ],
  'POST /hooks/outgoing/explain': [
    outsider(explained('open')),
    member(explained('open')),
    teamAdmin(explained('closed')),
  ],
  'POST /hooks/outgoing/dry_run': [
    outsider(tried('open')),
    member(tried('open')),
    teamAdmin(tried('closed')),
    channelManager(tried('open')),
  ],
  'POST /hooks/outgoing/:hook_id/dry_run': [
    outsider(triedIn('open')),
    member(triedIn('open')),
    teamAdmin(triedIn('closed')),
    teamAdmin(({ closed }) => ({ channel_id: closed.id })),
    channelManager(({ elsewhere }) => ({ channel_id: elsewhere.id })),
    channelManager(triedIn('open'), ofWideHook),
  ],
  'GET /hooks/outgoing/:hook_id': [outsider(), member(), channelManager(undefined, ofWideHook)],
  'PUT /hooks/outgoing/:hook_id': [
    outsider(({ outgoing }) => outgoing),
    member(({ outgoing }) => outgoing),
    // A move needs the permission in both places.
    teamAdmin(({ outgoing, closed }) => ({ ...outgoing, channel_id: closed.id })),
    channelManager(({ outgoing, elsewhere }) => ({ ...outgoing, channel_id: elsewhere.id })),
    channelManager(({ outgoing }) => ({ ...outgoing, channel_id: '' })),
    channelManager(({ wideOutgoing, open }) => ({ ...wideOutgoing, channel_id: open.id }), ofWideHook),
  ],
  'PATCH /hooks/outgoing/:hook_id': [
    outsider(() => ({})),
    member(() => ({})),
    teamAdmin(({ closed }) => ({ channel_id: closed.id })),
    channelManager(({ elsewhere }) => ({ channel_id: elsewhere.id })),
    channelManager(() => ({ channel_id: '' })),
    channelManager(({ open }) => ({ channel_id: open.id }), ofWideHook),
  ],
  'GET /hooks/outgoing/deliveries': [member(), teamAdmin()],
  'GET /hooks/outgoing/:hook_id/deliveries': [outsider(), member()],
  'GET /hooks/outgoing/:hook_id/deliveries/:delivery_id': [outsider(), member()],
  'GET /hooks/outgoing/:hook_id/stats': [outsider(), member()],
  'GET /hooks/outgoing/deliveries/stats': [outsider(), teamAdmin()],
  'POST /hooks/outgoing/stats': [outsider(chartedHooks, leavesOut), member(chartedHooks, leavesOut)],
  'GET /hooks/outgoing/endpoints': [outsider(), teamAdmin()],
  'GET /hooks/outgoing/endpoints/details': [
    outsider(undefined, { query: () => 'endpoint=https://example.com' }),
    teamAdmin(undefined, { query: () => 'endpoint=https://example.com' }),
  ],
  'POST /hooks/outgoing/:hook_id/deliveries/:delivery_id/retry': [outsider(), member()],
  'POST /hooks/outgoing/:hook_id/deliveries/:delivery_id/request': [outsider(), member()],
  'POST /hooks/outgoing/deliveries/retry': [member(oneDelivery), teamAdmin(oneDelivery)],
  'POST /hooks/outgoing/endpoints/deliveries/retry': [member(noDeliveries), teamAdmin(noDeliveries)],
  'POST /hooks/outgoing/:hook_id/deliveries/retry': [outsider(noDeliveries), member(noDeliveries)],
  'GET /hooks/outgoing/deliveries/recoveries': [member(), teamAdmin()],
  'POST /hooks/outgoing/deliveries/recoveries/:recovery_id/stop': [
    member(undefined, notOfAll),
    teamAdmin(undefined, notOfAll),
  ],
  'POST /hooks/outgoing/:hook_id/enable': [outsider(), member()],
  'GET /hooks/outgoing/:hook_id/recover': [outsider(), member()],
  'POST /hooks/outgoing/:hook_id/recover': [outsider(() => ({ since: 1 })), member(() => ({ since: 1 }))],
  'POST /hooks/outgoing/:hook_id/recover/:recovery_id/stop': [outsider(), member()],
  'POST /hooks/outgoing/:hook_id/regen_token': [outsider(), member()],
  'POST /hooks/outgoing/:hook_id/test': [outsider(), member()],

  'POST /posts': [
    outsider(({ open }) => ({ channel_id: open.id, message: 'new' })),
    outsider(({ closed }) => ({ channel_id: closed.id, message: 'new' })),
    teamAdmin(({ closed }) => ({ channel_id: closed.id, message: 'new' })),
  ],
  'GET /posts/:post_id': [outsider(), teamAdmin()],
  'PUT /posts/:post_id': [outsider(changedPost), member(changedPost), teamAdmin(changedPost)],
  'PUT /posts/:post_id/patch': [
    outsider(() => ({ message: 'changed' })),
    member(() => ({ message: 'changed' })),
    teamAdmin(() => ({ message: 'changed' })),
  ],
  'GET /posts/:post_id/edit_history': [outsider(), member(), teamAdmin()],
  'POST /posts/:post_id/unpin': [outsider(), teamAdmin()],
  'POST /posts/:post_id/pin': [outsider(undefined, ofOpenPost), teamAdmin()],
  'GET /posts/:post_id/thread': [outsider(), teamAdmin()],
  'POST /posts/ids': [
    outsider(({ post }) => [post.id], leavesOut),
    teamAdmin(({ post }) => [post.id], leavesOut),
  ],

  'GET /remotecluster': [teamAdmin(), supporter()],
  'POST /remotecluster': [teamAdmin(newRemote), supporter(newRemote)],
  'GET /remotecluster/:remote_id': [teamAdmin(), supporter()],
  'POST /remotecluster/:remote_id/check': [
    teamAdmin(undefined, notConfirmed),
    supporter(undefined, notConfirmed),
  ],
  'PATCH /remotecluster/:remote_id': [teamAdmin(changedRemote), supporter(changedRemote)],
  'POST /remotecluster/:remote_id/generate_invite': [teamAdmin(newInvite), supporter(newInvite)],
  'POST /remotecluster/accept_invite': [teamAdmin(accepted, noInvite), supporter(accepted, noInvite)],
  'POST /remotecluster/:remote_id/channels/:channel_id/invite': [
    member(undefined, notConfirmed),
    teamAdmin(undefined, notConfirmed),
  ],
  'POST /remotecluster/:remote_id/channels/:channel_id/uninvite': [
    member(undefined, notShared),
    teamAdmin(undefined, notShared),
  ],
  'GET /remotecluster/:remote_id/sharedchannelremotes': [teamAdmin(), supporter()],
  'GET /sharedchannels/:team_id': [teamAdmin(), supporter()],

  'GET /roles': [teamAdmin(), supporter()],
  'PUT /roles/:role_id/patch': [
    teamAdmin(({ permissionsOf }) => ({ permissions: permissionsOf('team_user') })),
    // Only administrators of the system may change their own role.
    supporter(({ permissionsOf }) => ({ permissions: permissionsOf('system_admin') }), {
      params: ({ roleId }) => ({ role_id: roleId('system_admin') }),
    }),
    supporter(({ permissionsOf }) => ({ permissions: permissionsOf('system_user') }), {
      params: ({ roleId }) => ({ role_id: roleId('system_user') }),
    }),
    supporter(({ permissionsOf }) => ({ permissions: [...permissionsOf('team_user'), 'create_post'] })),
    supporter(({ permissionsOf }) => ({ permissions: permissionsOf('team_user').slice(1) })),
    supporter(() => ({ permissions: [] }), { params: ({ customRoleId }) => ({ role_id: customRoleId }) }),
  ],

  'GET /teams': [guest()],
  'POST /teams': [guest(({ newId }) => ({ name: newId(), display_name: 'new', type: 'O' }))],
  'POST /teams/search': [
    guest(() => ({ term: MARKER }), leavesOut),
    outsider(() => ({ term: MARKER }), leavesOut),
  ],
  'GET /teams/:team_id': [outsider(), guest(undefined, ofOpenTeam)],
  'PUT /teams/:team_id': [outsider(changedTeam), member(changedTeam)],
  'PUT /teams/:team_id/patch': [
    outsider(() => ({ description: 'changed' })),
    member(() => ({ description: 'changed' })),
    member(() => ({ allow_open_invite: false })),
  ],
  'PUT /teams/:team_id/privacy': [outsider(() => ({ privacy: 'I' })), member(() => ({ privacy: 'I' }))],
  'GET /teams/:team_id/channels': [outsider()],
  'GET /teams/:team_id/channels/deleted': [outsider()],
  'POST /teams/:team_id/channels/search': [
    outsider(() => ({ term: MARKER })),
    teamAdmin(() => ({ term: `${MARKER}-closed` }), leavesOut),
  ],
  'POST /teams/:team_id/channels/search_archived': [
    outsider(() => ({ term: MARKER })),
    teamAdmin(() => ({ term: MARKER }), leavesOut),
  ],
  'GET /teams/:team_id/channels/autocomplete': [
    outsider(),
    teamAdmin(undefined, { ...leavesOut, query: () => `name=${MARKER}-closed` }),
  ],
  'GET /teams/:team_id/channels/search_autocomplete': [
    outsider(),
    teamAdmin(undefined, { ...leavesOut, query: () => `name=${MARKER}-closed` }),
  ],
  'POST /teams/:team_id/channels/ids': [outsider(({ open }) => [open.id])],
  'GET /teams/:team_id/channels/name/:channel_name': [
    outsider(undefined, hides),
    teamAdmin(undefined, hides),
    outsider(undefined, namedOpen),
  ],
  'GET /teams/:team_id/channels/private': [teamAdmin(), supporter()],
  'GET /teams/:team_id/members': [outsider()],
  'POST /teams/:team_id/members': [
    outsider(({ team, ids }) => ({ team_id: team.id, user_id: ids.outsider })),
    outsider(({ team, ids }) => ({ team_id: team.id, user_id: ids.guest })),
    guest(({ openTeam, ids }) => ({ team_id: openTeam.id, user_id: ids.guest }), ofOpenTeam),
  ],
  'GET /teams/:team_id/members/:user_id': [outsider()],
  'PUT /teams/:team_id/members/:user_id/roles': [outsider(roles('team_user')), member(roles('team_user'))],
  'PUT /teams/:team_id/members/:user_id/schemeRoles': [outsider(schemeRoles), member(schemeRoles)],
  'POST /teams/:team_id/members/batch': [
    outsider(({ team, ids }) => [{ team_id: team.id, user_id: ids.outsider }]),
  ],
  'POST /teams/:team_id/members/ids': [outsider(({ victim }) => [victim.id])],
  'POST /teams/:team_id/posts/search': [outsider(() => ({ terms: MARKER, is_or_search: false }))],
  'POST /teams/:team_id/regenerate_invite_id': [outsider()],
  'GET /teams/:team_id/stats': [outsider()],
  'POST /teams/:team_id/restore': [outsider(undefined, ofArchivedTeam), member(undefined, ofArchivedTeam)],
  'GET /teams/name/:team_name': [outsider()],
  'GET /teams/name/:team_name/channels/name/:channel_name': [
    outsider(undefined, hides),
    teamAdmin(undefined, hides),
    outsider(undefined, namedOpen),
  ],
  'GET /teams/name/:team_name/exists': [outsider(undefined, leavesOut), guest(undefined, leavesOut)],

  'GET /users': [guest(undefined, leavesOut)],
  'GET /users/known': [guest(undefined, leavesOut), outsider(undefined, leavesOut)],
  'POST /users/ids': [guest(({ victim }) => [victim.id], leavesOut)],
  'POST /users/usernames': [guest(({ victim }) => [victim.username], leavesOut)],
  'POST /users/search': [guest(() => ({ term: MARKER }), leavesOut)],
  'GET /users/autocomplete': [guest(undefined, { ...leavesOut, query: () => `name=${MARKER}` })],
  'GET /users/email/:email': [guest()],
  'GET /users/username/:username': [guest()],
  'GET /users/:user_id': [guest()],
  'GET /users/:user_id/image': [guest()],
  'PUT /users/:user_id': [outsider(profile), supporter(profileOfAdmin, ofAdmin)],
  'PUT /users/:user_id/patch': [
    outsider(() => ({ position: 'changed' })),
    supporter(() => ({ position: 'changed' }), ofAdmin),
  ],
  'PUT /users/:user_id/active': [
    outsider(() => ({ active: true })),
    supporter(() => ({ active: true }), ofAdmin),
  ],
  'POST /users/:user_id/email/verify/member': [outsider(), supporter()],
  'POST /users/:user_id/typing': [outsider(({ open }) => ({ channel_id: open.id, parent_id: '' }))],
  'PUT /users/:user_id/roles': [
    outsider(roles('system_user')),
    supporter(roles('system_user system_admin')),
    supporter(roles('system_user system_admin'), ofAdmin),
  ],
  'GET /users/:user_id/channel_members': [outsider(), member()],
  'GET /users/:user_id/channels': [outsider()],
  'GET /users/:user_id/channels/:channel_id/posts/unread': [outsider(), member()],
  'GET /users/:user_id/channels/:channel_id/unread': [outsider(), member()],
  'GET /users/:user_id/posts/flagged': [outsider()],
  'GET /users/:user_id/preferences': [outsider()],
  'PUT /users/:user_id/preferences': [outsider(preferences)],
  'GET /users/:user_id/preferences/:category': [outsider()],
  'GET /users/:user_id/preferences/:category/name/:preference_name': [outsider()],
  'POST /users/:user_id/preferences/delete': [outsider(preferences)],
  'GET /users/:user_id/sessions': [outsider()],
  'PUT /users/:user_id/status': [outsider(({ victim }) => ({ user_id: victim.id, status: 'dnd' }))],
  'GET /users/:user_id/teams': [outsider()],
  'GET /users/:user_id/teams/:team_id/channels': [outsider(), member()],
  'GET /users/:user_id/teams/:team_id/channels/categories': [outsider(), member()],
  'GET /users/:user_id/teams/:team_id/channels/categories/order': [outsider(), member()],
  'GET /users/:user_id/teams/:team_id/channels/members': [outsider(), member()],
  'GET /users/:user_id/teams/:team_id/threads': [outsider()],
  'GET /users/:user_id/teams/:team_id/unread': [outsider(), member()],
  'GET /users/:user_id/teams/members': [outsider()],
  'GET /users/:user_id/teams/unread': [outsider()],
  'GET /bots': [outsider(), supporter()],
  'POST /bots': [outsider(newBot), supporter(newBot)],
  'GET /bots/:bot_user_id': [outsider(undefined, hides), supporter(undefined, hides)],
  'PUT /bots/:bot_user_id': [outsider(() => ({ description: 'changed' }), hides)],
  'POST /bots/:bot_user_id/enable': [outsider(undefined, hides)],
  'POST /bots/:bot_user_id/disable': [outsider(undefined, hides)],
  'POST /bots/:bot_user_id/assign/:user_id': [outsider(undefined, hides)],
  'POST /bots/:bot_user_id/convert_to_user': [
    outsider(() => ({ password: PASSWORD })),
    supporter(() => ({ password: PASSWORD })),
  ],
  'POST /users/:user_id/convert_to_bot': [outsider(undefined, ofOther), supporter(undefined, ofOther)],
  'GET /users/:user_id/tokens': [outsider()],
  'POST /users/:user_id/tokens': [outsider(newToken), supporter(newToken, ofAdmin)],
  'GET /users/tokens': [teamAdmin(), supporter()],
  'POST /users/tokens/search': [teamAdmin(() => ({ term: MARKER })), supporter(() => ({ term: MARKER }))],
  'GET /users/tokens/:token_id': [outsider(), supporter(undefined, ofAdminToken)],
  'POST /users/tokens/disable': [outsider(tokenId), supporter(adminTokenId)],
  'POST /users/tokens/enable': [outsider(tokenId), supporter(adminTokenId)],
  'POST /users/tokens/revoke': [outsider(tokenId), supporter(adminTokenId)],

  // What destroys comes last, because the administrator is allowed to.
  'POST /users/:user_id/sessions/revoke': [outsider(({ session }) => ({ session_id: session.id }))],
  'POST /users/:user_id/sessions/revoke/all': [outsider()],
  'PUT /users/:user_id/password': [outsider(newPassword), supporter(newPassword, ofAdmin)],
  'DELETE /posts/:post_id': [outsider(), member(), teamAdmin(), outsider(undefined, ofOpenPost)],
  'DELETE /hooks/incoming/:hook_id': [outsider(), member(), teamAdmin(undefined, inClosedHook)],
  'DELETE /hooks/outgoing/:hook_id': [outsider(), member(), channelManager(undefined, ofWideHook)],
  'DELETE /remotecluster/:remote_id': [teamAdmin(), supporter()],
  'DELETE /channels/:channel_id/members/:user_id': [outsider(), outsider(undefined, inOpen), teamAdmin()],
  'DELETE /channels/:channel_id': [outsider(), teamAdmin(), outsider(undefined, inOpen)],
  'DELETE /teams/:team_id/members/:user_id': [outsider(), member()],
  'DELETE /teams/:team_id': [outsider(), member()],
  'DELETE /users/:user_id': [outsider(), supporter(undefined, ofAdmin)],
  'POST /users/sessions/revoke/all': [teamAdmin(), supporter()],
};

/**
 * Any signed-in user may call these: they tell nothing, or no more than who is online, and who has an invite id may join.
 */
export const FOR_EVERYBODY = [
  ...EMPTY_ANSWERS.map(([, route]) => route.replace(' ', ' /')),
  'GET /system/timezones',
  'GET /roles/:role_id',
  'GET /roles/name/:role_name',
  'POST /roles/names',
  'GET /users/stats',
  'POST /teams/members/invite',
  'GET /users/:user_id/status',
  'POST /users/status/ids',
];
