import { type OperationOptions, StatusOkDto, oneOf } from '../../platform/common/dto/operation.js';
import { ChannelMemberDto, ChannelViewedDto } from './dto/channel-member.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  viewChannel: {
    summary: 'Mark a channel as seen',
    description: 'Both ids may be empty. The answer holds the time up to which each channel has been seen.',
    ok: ChannelViewedDto,
  },
  addChannelMember: {
    summary: 'Add users to a channel',
    description:
      'With `user_id` the answer is one record, with `user_ids` a list of those who could be added. A user who is in the channel already stays as is.',
    created: oneOf([ChannelMemberDto, [ChannelMemberDto]]),
    errors: [404],
  },
  getChannelMembers: { summary: 'List the members of a channel', ok: [ChannelMemberDto] },
  getChannelMembersByIds: {
    summary: 'Get several members of a channel',
    description: 'Users who are not in the channel are skipped.',
    ok: [ChannelMemberDto],
  },
  getChannelMember: { summary: 'Get one member of a channel', ok: ChannelMemberDto, errors: [404] },
  removeChannelMember: {
    summary: 'Remove a user from a channel',
    description: 'Only guests leave the default channel of a team.',
    ok: StatusOkDto,
    errors: [404],
  },
  updateChannelMemberRoles: { summary: 'Set the roles of a channel member', ok: StatusOkDto, errors: [404] },
  updateChannelMemberSchemeRoles: {
    summary: 'Set whether a channel member is an administrator',
    ok: StatusOkDto,
    errors: [404],
  },
  updateChannelMemberNotifyProps: {
    summary: "Change how a member is told of a channel's messages",
    description: 'Unknown settings are ignored.',
    body: {
      schema: {
        type: 'object',
        additionalProperties: { type: 'string' },
        example: { desktop: 'mention', mark_unread: 'all' },
      },
    },
    ok: StatusOkDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
