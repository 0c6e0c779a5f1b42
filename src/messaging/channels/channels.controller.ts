import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { ChannelRequests } from './channel-requests.js';
import { ChannelDto, ChannelStatsDto } from './dto/channel.dto.js';
import {
  ChannelPrivacyDto,
  CreateChannelDto,
  PatchChannelDto,
  UpdateChannelDto,
} from './dto/write-channel.dto.js';

const MAX_USER_IDS = 200;
const userIds = (...example: string[]) =>
  ({ schema: { type: 'array', items: { type: 'string' }, example } }) as const;

@ApiTags('channels')
@ApiBearerAuth()
@Controller('channels')
export class ChannelsController {
  constructor(private readonly channels: ChannelRequests) {}

  @Post()
  @CheckedByPolicy([Permission.CreatePublicChannel, Permission.CreatePrivateChannel])
  @Audited('create_channel')
  @Operation({
    summary: 'Create an open or private channel',
    description: 'The creator becomes its administrator. An archived channel keeps its name taken.',
    permission: '`create_public_channel` or `create_private_channel` in the team',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiCreatedResponse({ type: ChannelDto })
  async createChannel(@CurrentActor() actor: Actor, @Body() body: CreateChannelDto): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.create(actor, body));
  }

  @Post('direct')
  @CheckedByPolicy(Permission.CreateDirectChannel)
  @Operation({
    summary: 'Get the direct channel of two users, made if need be',
    description: 'One id alone, your own, is the channel you have with yourself.',
    permission: '`create_direct_channel`, and `manage_system` for two others',
    errors: [400, 401, 403, 413],
  })
  @ApiBody(userIds('q7kdzcm5wtd5jfzn8u5fxpbkjo', 'w8hdzcm5wtd5jfzn8u5fxpbkja'))
  @ApiCreatedResponse({ type: ChannelDto })
  async createDirectChannel(
    @CurrentActor() actor: Actor,
    @Body(new StringListBody('user_ids', MAX_USER_IDS)) ids: string[],
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.createDirect(actor, ids));
  }

  @Post('group')
  @CheckedByPolicy(Permission.CreateGroupChannel)
  @Operation({
    summary: 'Get the group channel of 3 to 8 users, made if need be',
    description: 'You are one of them, named or not.',
    permission: '`create_group_channel`',
    errors: [400, 401, 403, 413],
  })
  @ApiBody(userIds('q7kdzcm5wtd5jfzn8u5fxpbkjo', 'w8hdzcm5wtd5jfzn8u5fxpbkja'))
  @ApiCreatedResponse({ type: ChannelDto })
  async createGroupChannel(
    @CurrentActor() actor: Actor,
    @Body(new StringListBody('user_ids', MAX_USER_IDS)) ids: string[],
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.createGroup(actor, ids));
  }

  @Get(':channel_id')
  @CheckedByPolicy([Permission.ReadChannel, Permission.ReadPublicChannel])
  @Operation({
    summary: 'Get a channel',
    description: 'Archived channels are shown too.',
    permission: '`read_channel`, or `read_public_channel` in the team for an open one',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: ChannelDto })
  async getChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.get(actor, id));
  }

  @Put(':channel_id')
  @CheckedByPolicy([Permission.ManagePublicChannelProperties, Permission.ManagePrivateChannelProperties])
  @Audited('update_channel', 'channel_id')
  @Operation({
    summary: 'Change a channel',
    description: 'Of direct and group channels only the header can change.',
    permission:
      '`manage_public_channel_properties` or `manage_private_channel_properties`; members for a direct or group channel',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: ChannelDto })
  async updateChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
    @Body() body: UpdateChannelDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.update(actor, id, body));
  }

  @Put(':channel_id/patch')
  @CheckedByPolicy([Permission.ManagePublicChannelProperties, Permission.ManagePrivateChannelProperties])
  @Audited('patch_channel', 'channel_id')
  @Operation({
    summary: 'Change single fields of a channel',
    description: 'Of direct and group channels only the header can change.',
    permission:
      '`manage_public_channel_properties` or `manage_private_channel_properties`; members for a direct or group channel',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: ChannelDto })
  async patchChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
    @Body() body: PatchChannelDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.patch(actor, id, body));
  }

  @Put(':channel_id/privacy')
  @CheckedByPolicy([Permission.ConvertPublicChannelToPrivate, Permission.ConvertPrivateChannelToPublic])
  @Audited('update_channel_privacy', 'channel_id')
  @Operation({
    summary: 'Open a channel to its team, or make it private',
    description: 'The default channel stays open.',
    permission: '`convert_public_channel_to_private` or `convert_private_channel_to_public`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: ChannelDto })
  async updateChannelPrivacy(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
    @Body() body: ChannelPrivacyDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.setPrivacy(actor, id, body));
  }

  @Delete(':channel_id')
  @CheckedByPolicy([Permission.DeletePublicChannel, Permission.DeletePrivateChannel])
  @Audited('delete_channel', 'channel_id')
  @Operation({
    summary: 'Archive a channel',
    description: 'Its webhooks are deleted for good. `permanent=true` is refused with 401.',
    permission: '`delete_public_channel` or `delete_private_channel`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async deleteChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.channels.archive(actor, id, isPermanent);
    return STATUS_OK;
  }

  @Post(':channel_id/restore')
  @HttpCode(200)
  @CheckedByPolicy(Permission.ManageTeam)
  @Audited('restore_channel', 'channel_id')
  @Operation({
    summary: 'Bring an archived channel back',
    description: 'Its webhooks stay deleted.',
    permission: '`manage_team`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: ChannelDto })
  async restoreChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.restore(actor, id));
  }

  @Get(':channel_id/stats')
  @CheckedByPolicy([Permission.ReadChannel, Permission.ReadPublicChannel])
  @Operation({
    summary: 'Count the members and pinned posts of a channel',
    permission: '`read_channel`, or `read_public_channel` in the team for an open one',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: ChannelStatsDto })
  async getChannelStats(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') id: string,
    @QueryFlag('exclude_files_count', 'Answer -1 for the files.') excludesFiles: boolean,
  ): Promise<ChannelStatsDto> {
    return ChannelStatsDto.from(id, await this.channels.stats(actor, id), excludesFiles);
  }
}
