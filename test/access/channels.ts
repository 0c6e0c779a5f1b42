import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld, MARKER } from '../factories/private-world.js';
import {
  type Body,
  outsider,
  member,
  teamAdmin,
  supporter,
  powerless,
  inOpen,
  leavesOut,
  hides,
  roles,
  schemeRoles,
} from '../support/refusals.js';

const namedOpen = { params: ({ open }: PrivateWorld) => ({ channel_name: open.name }) };
const changedChannel: Body = ({ closed }) => ({ ...closed, header: 'changed' });

export const access: ModuleAccess = {
  refusals: {
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
    'PUT /channels/:channel_id/privacy': [
      outsider(() => ({ privacy: 'P' }), inOpen),
      member(() => ({ privacy: 'P' }), inOpen),
      member(() => ({ privacy: 'O' })),
      teamAdmin(() => ({ privacy: 'O' })),
      // Moved back for the following requests.
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
    'POST /channels/group': [powerless(({ victim, other }) => [victim.id, other.id])],
    'POST /channels/members/:user_id/view': [outsider(({ closed }) => ({ channel_id: closed.id }))],
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
    'GET /teams/name/:team_name/channels/name/:channel_name': [
      outsider(undefined, hides),
      teamAdmin(undefined, hides),
      outsider(undefined, namedOpen),
    ],
    'GET /users/:user_id/channel_members': [outsider(), member()],
    'GET /users/:user_id/channels': [outsider()],
    'GET /users/:user_id/channels/:channel_id/unread': [outsider(), member()],
    'GET /users/:user_id/teams/:team_id/channels': [outsider(), member()],
    'GET /users/:user_id/teams/:team_id/channels/categories': [outsider(), member()],
    'GET /users/:user_id/teams/:team_id/channels/categories/order': [outsider(), member()],
    'GET /users/:user_id/teams/:team_id/channels/members': [outsider(), member()],
  },
  destroying: {
    'DELETE /channels/:channel_id/members/:user_id': [outsider(), outsider(undefined, inOpen), teamAdmin()],
    'DELETE /channels/:channel_id': [outsider(), teamAdmin(), outsider(undefined, inOpen)],
  },
};
