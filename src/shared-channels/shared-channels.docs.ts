import { type OperationOptions, StatusOkDto } from '../platform/common/dto/operation.js';
import { SharedChannelRemoteDto } from './dto/shared-channel-remote.dto.js';
import { SharedChannelDto } from './dto/shared-channel.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  inviteRemoteClusterToChannel: {
    summary: 'Share a channel over a secure connection',
    description:
      'The channel appears on the other server, in the team of the connection there; posts from now on appear on both. Once more changes nothing.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
  uninviteRemoteClusterToChannel: {
    summary: 'Share a channel no longer over a secure connection',
    description: 'What the other server has got stays there.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
  getSharedChannelRemotesByRemoteCluster: {
    summary: 'List the channels that are shared over a secure connection',
    description: 'With how far the other server is behind in each, and what has become of the invite.',
    ok: [SharedChannelRemoteDto],
    errors: [404, 501],
  },
  getAllSharedChannels: {
    summary: 'List the shared channels of a team, by display name',
    ok: [SharedChannelDto],
    errors: [501],
  },
} satisfies Record<string, OperationOptions>;
