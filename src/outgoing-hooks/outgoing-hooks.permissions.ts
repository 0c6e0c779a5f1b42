import { CommonPermission } from '../messaging/permissions/common.permissions.js';
import { definePermissions } from '../platform/access/permission.js';

/** The permissions of outgoing webhooks, in addition to `manage_webhooks`. */
export const OutgoingHookPermission = definePermissions({
  ManageOthersOutgoingWebhooks: ['manage_others_outgoing_webhooks', 'team_admin'],
});

/** What calls on outgoing webhooks ask for; which of them is needed where is the policy's. */
export const HOOK_PERMISSIONS = [
  CommonPermission.ManageWebhooks,
  OutgoingHookPermission.ManageOthersOutgoingWebhooks,
];

/** Who may manage a webhook, for the API description. */
export const WHO_MANAGES =
  '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_outgoing_webhooks`; to do more with one of a private channel than get or delete it, the right to read the channel';
