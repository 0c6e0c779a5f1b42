import type { ModuleAccess } from '../support/module-access.js';
import { type Body, teamAdmin, supporter, PASSWORD, notConfirmed } from '../support/refusals.js';

const noInvite = { allowed: 400 };
const changedRemote: Body = () => ({ display_name: 'changed' });
const newRemote: Body = ({ team, newId }) => ({
  name: newId(),
  default_team_id: team.id,
  password: PASSWORD,
});
const newInvite: Body = () => ({ password: PASSWORD });
const accepted: Body = ({ team, newId }) => ({
  name: newId(),
  default_team_id: team.id,
  invite: 'none',
  password: PASSWORD,
});

export const access: ModuleAccess = {
  refusals: {
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
  },
  destroying: { 'DELETE /remotecluster/:remote_id': [teamAdmin(), supporter()] },
  requests: {
    'POST /remotecluster/ping': { body: () => ({}) },
    'POST /remotecluster/msg': { body: () => ({}) },
    'POST /remotecluster/confirm_invite': { body: () => ({}) },
  },
};
