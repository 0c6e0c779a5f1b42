import { definePermissions } from '../platform/access/permission.js';

/** The permissions of incoming webhooks, in addition to `manage_webhooks`. */
export const IncomingHookPermission = definePermissions({
  ManageOthersIncomingWebhooks: ['manage_others_incoming_webhooks', 'team_admin'],
  BypassIncomingWebhookChannelLock: ['bypass_incoming_webhook_channel_lock', 'team_admin'],
});

/** Who may manage a webhook, for the API description. */
export const WHO_MANAGES =
  '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_incoming_webhooks`; for a private channel also the right to read it';
