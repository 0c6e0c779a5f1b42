import type { ModuleAccess } from '../support/module-access.js';
import { outsider, teamAdmin } from '../support/refusals.js';

export const access: ModuleAccess = {
  refusals: {
    'GET /audits': [outsider(), teamAdmin()],
  },
};
