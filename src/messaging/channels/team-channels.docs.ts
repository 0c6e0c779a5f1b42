import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { ChannelDto } from './dto/channel.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  getChannelByNameForTeamName: {
    summary: 'Get a channel by its name and the name of its team',
    description: 'A private channel of others answers 404.',
    ok: ChannelDto,
    errors: [404],
  },
  getChannelByName: {
    summary: 'Get a channel by its name',
    description:
      'A private channel of others answers 404. Direct and group channels are found from every team.',
    ok: ChannelDto,
    errors: [404],
  },
  getPublicChannelsForTeam: {
    summary: 'List the open channels of a team by display name',
    ok: [ChannelDto],
    errors: [404],
  },
  getPublicChannelsByIdsForTeam: {
    summary: 'Get several open channels of a team',
    description: 'Unknown, private and archived ones are skipped.',
    ok: [ChannelDto],
    errors: [404],
  },
  getPrivateChannelsForTeam: {
    summary: 'List the private channels of a team',
    ok: [ChannelDto],
    errors: [404],
  },
  getDeletedChannelsForTeam: {
    summary: 'List the archived channels of a team',
    description: 'Open ones and your own private ones; holders of `manage_system` see all.',
    ok: [ChannelDto],
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
