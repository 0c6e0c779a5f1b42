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
