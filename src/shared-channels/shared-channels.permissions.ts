import { definePermissions } from '../platform/access/permission.js';

/** The permission of shared channels. */
export const SharedChannelPermission = definePermissions({
  ManageSharedChannels: ['manage_shared_channels'],
});
