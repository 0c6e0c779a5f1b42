import { definePermissions } from '../platform/access/permission.js';

/** What shared channels ask for. */
export const SharedChannelPermission = definePermissions({
  ManageSharedChannels: ['manage_shared_channels'],
});
