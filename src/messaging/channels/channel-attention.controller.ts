import { Body, Controller, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelViewedDto } from './dto/channel-member.dto.js';
import { StringMapBody, ViewChannelDto } from './dto/write-channel-member.dto.js';
import { ChannelIdParam } from './dto/channel.params.js';

/** What a member has seen of a channel, and is told of. */
@ApiTags('channels')
@Controller('channels')
export class ChannelAttentionController {
  constructor(private readonly members: ChannelMembersService) {}

  @Post('members/:user_id/view')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: 'Mark a channel as seen',
    description: 'Both ids may be empty. The answer holds the time up to which each channel has been seen.',
    ok: ChannelViewedDto,
  })
  async viewChannel(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: ViewChannelDto,
  ): Promise<ChannelViewedDto> {
    return { status: 'OK', last_viewed_at_times: await this.members.view(actor, userId, body) };
  }

  @Put(':channel_id/members/:user_id/notify_props')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
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
  })
  async updateChannelMemberNotifyProps(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
    @Body(new StringMapBody('notify_props')) props: Record<string, string>,
  ): Promise<StatusOkDto> {
    await this.members.setNotifyProps(actor, channelId, userId, props);
    return STATUS_OK;
  }
}
