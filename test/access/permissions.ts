import type { ModuleAccess } from '../support/module-access.js';
import { teamAdmin, supporter } from '../support/refusals.js';

export const access: ModuleAccess = {
  forEverybody: ['GET /roles/:role_id', 'GET /roles/name/:role_name', 'POST /roles/names'],
  refusals: {
    'GET /roles': [teamAdmin(), supporter()],
    'PUT /roles/:role_id/patch': [
      teamAdmin(({ permissionsOf }) => ({ permissions: permissionsOf('team_user') })),
      // Only system administrators may change their own role.
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
  },
  requests: {
    'POST /roles/names': { body: () => ['team_user'] },
  },
};
