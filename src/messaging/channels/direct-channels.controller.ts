import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission } from './channels.permissions.js';
import { ChannelsService } from './channels.service.js';
import { ChannelDto } from './dto/channel.dto.js';

/** Channels of people instead of teams. */
@ApiTags('channels')
@Controller('channels')
export class DirectChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @Post('direct')
  @CheckedByPolicy(
    ChannelPermission.CreateDirectChannel,
    '`create_direct_channel`, and `manage_system` for two others',
  )
  @Operation({
    summary: 'Get the direct channel of two users, made if need be',
    description: 'One id alone, your own, is the channel you have with yourself.',
    created: ChannelDto,
  })
  async createDirectChannel(@CurrentActor() actor: Actor, @UserIdsBody() ids: string[]): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.createDirect(actor, ids));
  }

  @Post('group')
  @CheckedByPolicy(ChannelPermission.CreateGroupChannel)
  @Operation({
    summary: 'Get the group channel of 3 to 8 users, made if need be',
    description: 'You are one of them, named or not.',
    created: ChannelDto,
  })
  async createGroupChannel(@CurrentActor() actor: Actor, @UserIdsBody() ids: string[]): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.createGroup(actor, ids));
  }
}

function UserIdsBody(): ParameterDecorator {
  return StringListBody('user_ids', 200, 'q7kdzcm5wtd5jfzn8u5fxpbkjo', 'w8hdzcm5wtd5jfzn8u5fxpbkja');
}
