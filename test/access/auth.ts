import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld, MARKER } from '../factories/private-world.js';
import { USER_PASSWORD } from '../factories/users.js';
import { type Body, outsider, teamAdmin, supporter, ofAdmin } from '../support/refusals.js';

const ofAdminToken = { params: ({ adminToken }: PrivateWorld) => ({ token_id: adminToken.id }) };
const tokenId: Body = ({ token }) => ({ token_id: token.id });
const adminTokenId: Body = ({ adminToken }) => ({ token_id: adminToken.id });
const newToken: Body = () => ({ description: 'new' });

export const access: ModuleAccess = {
  refusals: {
    'GET /users/:user_id/sessions': [outsider()],
    'GET /users/:user_id/tokens': [outsider()],
    'POST /users/:user_id/tokens': [outsider(newToken), supporter(newToken, ofAdmin)],
    'GET /users/tokens': [teamAdmin(), supporter()],
    'POST /users/tokens/search': [teamAdmin(() => ({ term: MARKER })), supporter(() => ({ term: MARKER }))],
    'GET /users/tokens/:token_id': [outsider(), supporter(undefined, ofAdminToken)],
    'POST /users/tokens/disable': [outsider(tokenId), supporter(adminTokenId)],
    'POST /users/tokens/enable': [outsider(tokenId), supporter(adminTokenId)],
    'POST /users/tokens/revoke': [outsider(tokenId), supporter(adminTokenId)],
    'POST /users/:user_id/sessions/revoke': [outsider(({ session }) => ({ session_id: session.id }))],
    'POST /users/:user_id/sessions/revoke/all': [outsider()],
  },
  destroying: {
    'POST /users/sessions/revoke/all': [teamAdmin(), supporter()],
  },
  requests: {
    'POST /users/login': { body: ({ victim }) => ({ login_id: victim.username, password: USER_PASSWORD }) },
  },
};
