import type { ModuleAccess } from '../support/module-access.js';
import { outsider } from '../support/refusals.js';

export const access: ModuleAccess = {
  refusals: {
    'POST /users/:user_id/typing': [outsider(({ open }) => ({ channel_id: open.id, parent_id: '' }))],
  },
};
