import { AppError } from '../platform/common/errors/app-error.js';
import { definePermissions } from '../platform/access/access.js';

const shareRefused = (message: string) => new AppError(400, 'api.shared_channel.invite.app_error', message);

export const channelTypeNotShareable = () =>
  shareRefused('Invalid channel_id: only public and private channels of a team can be shared.');
export const archivedChannelNotShareable = () => shareRefused('Invalid channel_id: the channel is archived.');
export const channelOfOtherServer = () =>
  shareRefused('Invalid channel_id: the channel comes from another server; only that server can share it.');
export const connectionNotConfirmed = () =>
  shareRefused('Invalid remote_id: the other server has not confirmed the connection yet.');

export const notShared = () =>
  new AppError(
    404,
    'api.shared_channel.not_shared.app_error',
    'The channel is not shared over this connection.',
  );

export const SharedChannelPermission = definePermissions({
  ManageSharedChannels: ['manage_shared_channels'],
});
