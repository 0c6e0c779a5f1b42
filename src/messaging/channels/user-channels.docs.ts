import { type OperationOptions } from '../../platform/common/dto/operation.js';
import {
  ChannelCategoriesDto,
  ChannelMemberDto,
  TeamUnreadDto,
  UserThreadsDto,
} from './dto/channel-member.dto.js';
import { ChannelDto } from './dto/channel.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  getChannelsForUser: {
    summary: 'List the channels of a user in all teams',
    ok: [ChannelDto],
    errors: [404],
  },
  getTeamsUnreadForUser: { summary: 'Count what a user has not read, by team', ok: [TeamUnreadDto] },
  getChannelsForTeamForUser: {
    summary: 'List the channels of a user in a team',
    description: 'Direct and group channels are listed with every team.',
    ok: [ChannelDto],
    errors: [404],
  },
  getChannelMembersForUser: {
    summary: 'List the memberships of a user in the channels of a team',
    description: 'Those in direct and group channels are listed with every team.',
    ok: [ChannelMemberDto],
  },
  getSidebarCategoriesForTeamForUser: {
    summary: "List the folders of a user's channel list",
    description: 'Not kept on this server: always empty, so that clients show their own.',
    ok: ChannelCategoriesDto,
  },
  getUserThreads: {
    summary: 'List the threads that a user follows',
    description: 'Not kept on this server: always empty.',
    ok: UserThreadsDto,
  },
} satisfies Record<string, OperationOptions>;
