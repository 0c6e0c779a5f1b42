import { type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { ChannelDto, ChannelStatsDto } from './dto/channel.dto.js';

/** Who may call the operations. */
export const WHO = {
  reads: '`read_channel`, or `read_public_channel` in the team for an open one',
  changes:
    '`manage_public_channel_properties` or `manage_private_channel_properties`; members for a direct or group channel',
};

/** What the API description says of the operations. */
export const DOCS = {
  createChannel: {
    summary: 'Create an open or private channel',
    description: 'The creator becomes its administrator. An archived channel keeps its name taken.',
    created: ChannelDto,
    errors: [404],
  },
  createDirectChannel: {
    summary: 'Get the direct channel of two users, made if need be',
    description: 'One id alone, your own, is the channel you have with yourself.',
    created: ChannelDto,
  },
  createGroupChannel: {
    summary: 'Get the group channel of 3 to 8 users, made if need be',
    description: 'You are one of them, named or not.',
    created: ChannelDto,
  },
  getChannel: {
    summary: 'Get a channel',
    description: 'Archived channels are shown too.',
    ok: ChannelDto,
    errors: [404],
  },
  updateChannel: {
    summary: 'Change a channel',
    description: 'Of direct and group channels only the header can change.',
    ok: ChannelDto,
    errors: [404],
  },
  patchChannel: {
    summary: 'Change single fields of a channel',
    description: 'Of direct and group channels only the header can change.',
    ok: ChannelDto,
    errors: [404],
  },
  updateChannelPrivacy: {
    summary: 'Open a channel to its team, or make it private',
    description: 'The default channel stays open.',
    ok: ChannelDto,
    errors: [404],
  },
  deleteChannel: {
    summary: 'Archive a channel',
    description: 'Its webhooks are deleted for good. `permanent=true` is refused with 401.',
    ok: StatusOkDto,
    errors: [404],
  },
  restoreChannel: {
    summary: 'Bring an archived channel back',
    description: 'Its webhooks stay deleted.',
    ok: ChannelDto,
    errors: [404],
  },
  getChannelStats: {
    summary: 'Count the members and pinned posts of a channel',
    ok: ChannelStatsDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
