import { definePermissions } from '../platform/access/permission.js';

/** What outgoing webhooks ask for beside `manage_webhooks`. */
export const OutgoingHookPermission = definePermissions({
  ManageOthersOutgoingWebhooks: ['manage_others_outgoing_webhooks', 'team_admin'],
});
