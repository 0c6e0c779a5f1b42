import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld, MARKER } from '../factories/private-world.js';
import {
  type Body,
  outsider,
  member,
  powerless,
  leavesOut,
  roles,
  schemeRoles,
} from '../support/refusals.js';

const ofOpenTeam = { params: ({ openTeam }: PrivateWorld) => ({ team_id: openTeam.id }) };
const ofArchivedTeam = { params: ({ archivedTeam }: PrivateWorld) => ({ team_id: archivedTeam.id }) };
const changedTeam: Body = ({ team }) => ({ ...team, description: 'changed' });

export const access: ModuleAccess = {
  forEverybody: ['POST /teams/members/invite'],
  refusals: {
    'GET /teams': [powerless()],
    'POST /teams': [powerless(({ newId }) => ({ name: newId(), display_name: 'new', type: 'O' }))],
    'POST /teams/search': [
      powerless(() => ({ term: MARKER }), leavesOut),
      outsider(() => ({ term: MARKER }), leavesOut),
    ],
    'GET /teams/:team_id': [outsider(), powerless(undefined, ofOpenTeam)],
    'PUT /teams/:team_id': [outsider(changedTeam), member(changedTeam)],
    'PUT /teams/:team_id/patch': [
      outsider(() => ({ description: 'changed' })),
      member(() => ({ description: 'changed' })),
      member(() => ({ allow_open_invite: false })),
    ],
    'PUT /teams/:team_id/privacy': [outsider(() => ({ privacy: 'I' })), member(() => ({ privacy: 'I' }))],
    'GET /teams/:team_id/members': [outsider()],
    'POST /teams/:team_id/members': [
      outsider(({ team, ids }) => ({ team_id: team.id, user_id: ids.outsider })),
      outsider(({ team, ids }) => ({ team_id: team.id, user_id: ids.powerless })),
      powerless(({ openTeam, ids }) => ({ team_id: openTeam.id, user_id: ids.powerless }), ofOpenTeam),
    ],
    'GET /teams/:team_id/members/:user_id': [outsider()],
    'PUT /teams/:team_id/members/:user_id/roles': [outsider(roles('team_user')), member(roles('team_user'))],
    'PUT /teams/:team_id/members/:user_id/schemeRoles': [outsider(schemeRoles), member(schemeRoles)],
    'POST /teams/:team_id/members/batch': [
      outsider(({ team, ids }) => [{ team_id: team.id, user_id: ids.outsider }]),
    ],
    'POST /teams/:team_id/members/ids': [outsider(({ victim }) => [victim.id])],
    'POST /teams/:team_id/regenerate_invite_id': [outsider()],
    'GET /teams/:team_id/stats': [outsider()],
    'POST /teams/:team_id/restore': [outsider(undefined, ofArchivedTeam), member(undefined, ofArchivedTeam)],
    'GET /teams/name/:team_name': [outsider()],
    'GET /teams/name/:team_name/exists': [outsider(undefined, leavesOut), powerless(undefined, leavesOut)],
    'GET /users/:user_id/teams': [outsider()],
    'GET /users/:user_id/teams/:team_id/unread': [outsider(), member()],
    'GET /users/:user_id/teams/members': [outsider()],
    'GET /users/:user_id/teams/unread': [outsider()],
  },
  destroying: {
    'DELETE /teams/:team_id/members/:user_id': [outsider(), member()],
    'DELETE /teams/:team_id': [outsider(), member()],
  },
  requests: {
    'POST /teams/members/invite': { query: ({ team }) => `invite_id=${team.invite_id}` },
  },
};
