import { oneOf, type OperationOptions } from '../../../platform/common/dto/operation.js';
import { ChannelDto } from '../dto/channel.dto.js';
import { ChannelsWithCountDto, ChannelWithTeamDto } from './channel-search.dto.js';

const LIST_OR_PAGE = oneOf([[ChannelWithTeamDto], ChannelsWithCountDto]);
const OPEN_AND_OWN = 'The first 50 by display name: open ones, and private ones that you are in.';

/** What the API description says of the operations. */
export const DOCS = {
  getAllChannels: {
    summary: 'List the channels of all teams by display name',
    description: 'Open and private ones; archived ones only with `include_deleted`.',
    ok: LIST_OR_PAGE,
  },
  searchAllChannels: {
    summary: 'Find channels in all teams by a part of their name',
    description:
      'At most 100; with both `page` and `per_page` the answer is an object with the total. `system_console=false` searches your own teams.',
    ok: LIST_OR_PAGE,
  },
  searchGroupChannels: {
    summary: 'Find your group channels by the names of their members',
    description: 'At most 100.',
    ok: [ChannelDto],
  },
  searchChannels: {
    summary: 'Find open channels of a team by a part of their name',
    description: 'At most 100. Guests find the channels that they are in.',
    ok: [ChannelDto],
    errors: [404],
  },
  searchArchivedChannels: {
    summary: 'Find archived channels of a team by a part of their name',
    description: 'At most 100: open ones and those you are in.',
    ok: [ChannelDto],
    errors: [404],
  },
  autocompleteChannelsForTeam: {
    summary: 'Say which channels could be meant',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  },
  autocompleteChannelsForTeamForSearch: {
    summary: 'Say in which channels one could search',
    description: OPEN_AND_OWN,
    ok: [ChannelDto],
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
