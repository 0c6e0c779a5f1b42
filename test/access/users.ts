import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld, MARKER } from '../factories/private-world.js';
import { newAccount } from '../factories/users.js';
import {
  type Body,
  outsider,
  supporter,
  PASSWORD,
  ofAdmin,
  leavesOut,
  hides,
  roles,
} from '../support/refusals.js';

const inTeam = { query: ({ team }: PrivateWorld) => `in_team=${team.id}` };
const ofOther = { params: ({ other }: PrivateWorld) => ({ user_id: other.id }) };
const preferences: Body = ({ victim }) => [
  { user_id: victim.id, category: 'songs', name: MARKER, value: 'changed' },
];
const profile: Body = ({ victim }) => ({
  id: victim.id,
  username: victim.username,
  email: victim.email,
  position: 'changed',
});
const newBot: Body = ({ newId }) => ({ username: newId() });
const newPassword: Body = ({ password }) => ({ new_password: `${password}!` });
const profileOfAdmin: Body = ({ administrator: { id, username, email } }) => ({
  id,
  username,
  email,
  position: 'changed',
});

export const access: ModuleAccess = {
  forEverybody: [
    'GET /users/stats',
    'POST /users/ids',
    'POST /users/usernames',
    'GET /users/email/:email',
    'GET /users/username/:username',
    'GET /users/:user_id',
    'GET /users/:user_id/image',
    'GET /users/:user_id/status',
    'POST /users/status/ids',
  ],
  refusals: {
    'GET /users': [outsider(undefined, inTeam)],
    'GET /users/known': [outsider(undefined, leavesOut)],
    'POST /users/search': [outsider(({ team }) => ({ term: MARKER, team_id: team.id }))],
    'GET /users/autocomplete': [outsider(undefined, inTeam)],
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
    'PUT /users/:user_id/roles': [
      outsider(roles('system_user')),
      supporter(roles('system_user system_admin')),
      supporter(roles('system_user system_admin'), ofAdmin),
    ],
    'GET /users/:user_id/preferences': [outsider()],
    'PUT /users/:user_id/preferences': [outsider(preferences)],
    'GET /users/:user_id/preferences/:category': [outsider()],
    'GET /users/:user_id/preferences/:category/name/:preference_name': [outsider()],
    'POST /users/:user_id/preferences/delete': [outsider(preferences)],
    'PUT /users/:user_id/status': [outsider(({ victim }) => ({ user_id: victim.id, status: 'dnd' }))],
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
    'PUT /users/:user_id/password': [outsider(newPassword), supporter(newPassword, ofAdmin)],
  },
  destroying: {
    'DELETE /users/:user_id': [outsider(), supporter(undefined, ofAdmin)],
  },
  requests: {
    'POST /users/ids': { body: ({ victim }) => [victim.id] },
    'POST /users/usernames': { body: ({ victim }) => [victim.username] },
    'POST /users': { body: () => newAccount() },
    'POST /users/status/ids': { body: ({ victim }) => [victim.id] },
    'PUT /users/:user_id/password': {
      body: ({ password }) => ({ current_password: password, new_password: `${password}!` }),
    },
  },
};
