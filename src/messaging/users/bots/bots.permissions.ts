import { definePermissions } from '../../../platform/access/permission.js';

/** What bots ask for. */
export const BotPermission = definePermissions({
  CreateBot: ['create_bot'],
  ReadBots: ['read_bots'],
  ReadOthersBots: ['read_others_bots'],
  ManageBots: ['manage_bots'],
  ManageOthersBots: ['manage_others_bots'],
});
