import type { ModuleAccess } from '../support/module-access.js';
import { member, teamAdmin, supporter, notConfirmed } from '../support/refusals.js';

const notShared = { allowed: 404 };

export const access: ModuleAccess = {
  refusals: {
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
  },
};
