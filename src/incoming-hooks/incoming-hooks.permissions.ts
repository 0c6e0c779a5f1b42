import { definePermissions } from '../platform/access/permission.js';

/** The permissions of incoming webhooks, in addition to `manage_webhooks`. */
export const IncomingHookPermission = definePermissions({
  ManageOthersIncomingWebhooks: ['manage_others_incoming_webhooks', 'team_admin'],
  BypassIncomingWebhookChannelLock: ['bypass_incoming_webhook_channel_lock', 'team_admin'],
});
