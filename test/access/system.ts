import type { ModuleAccess } from '../support/module-access.js';
import { EMPTY_ANSWERS } from '../../src/messaging/system/empty-answers.controller.js';
import { outsider, teamAdmin, supporter } from '../support/refusals.js';

export const access: ModuleAccess = {
  forEverybody: [...EMPTY_ANSWERS.map(([, route]) => route.replace(' ', ' /')), 'GET /system/timezones'],
  refusals: {
    'GET /config': [teamAdmin(), supporter()],
    'GET /system/settings': [teamAdmin(), supporter()],
    'GET /commands': [outsider(undefined, { query: ({ team }) => `team_id=${team.id}` })],
  },
  requests: {
    'GET /license/client': { query: () => 'format=old' },
  },
};
