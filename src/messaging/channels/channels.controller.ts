import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission, ForReaders } from './channels.policy.js';
import { TeamPermission } from '../teams/teams.policy.js';
import { ChannelsService } from './channels.service.js';
import { DirectChannelsService } from './direct-channels.service.js';
import {
  ChannelDto,
  ChannelIdParam,
  ChannelPrivacyDto,
  ChannelStatsDto,
  CreateChannelDto,
  PatchChannelDto,
  UpdateChannelDto,
} from './dto/channel.dto.js';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';

const ForManagers = CheckedByPolicy(
  [ChannelPermission.ManagePublicChannelProperties, ChannelPermission.ManagePrivateChannelProperties],
  '`manage_public_channel_properties` or `manage_private_channel_properties`; members for a direct or group channel',
);

@ApiTags('channels')
@Controller('channels')
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly direct: DirectChannelsService,
  ) {}

  @Post()
  @CheckedByPolicy(
    [ChannelPermission.CreatePublicChannel, ChannelPermission.CreatePrivateChannel],
    '`create_public_channel` or `create_private_channel` in the team',
  )
  @Audited('create_channel')
  @Operation({
    summary: 'Create an open or private channel',
    description: 'The creator becomes its administrator. The names of archived channels stay taken.',
    created: ChannelDto,
    errors: [404],
  })
  async createChannel(@CurrentActor() actor: Actor, @Body() body: CreateChannelDto): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.create(actor, body));
  }

  @Get(':channel_id')
  @ForReaders
  @Operation({
    summary: 'Get a channel',
    description: 'Includes archived channels.',
    ok: ChannelDto,
    errors: [404],
  })
  async getChannel(@CurrentActor() actor: Actor, @ChannelIdParam() id: string): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.view(actor, id));
  }

  @Put(':channel_id')
  @ForManagers
  @Audited('update_channel', 'channel_id')
  @Operation({
    summary: 'Change a channel',
    description: 'For direct and group channels, only the header can change.',
    ok: ChannelDto,
    errors: [404],
  })
  async updateChannel(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() id: string,
    @Body() body: UpdateChannelDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.update(actor, id, body));
  }

  @Put(':channel_id/patch')
  @ForManagers
  @Audited('patch_channel', 'channel_id')
  @Operation({
    summary: 'Change single fields of a channel',
    description: 'For direct and group channels, only the header can change.',
    ok: ChannelDto,
    errors: [404],
  })
  async patchChannel(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() id: string,
    @Body() body: PatchChannelDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.patch(actor, id, body));
  }

  @Put(':channel_id/privacy')
  @CheckedByPolicy(
    [ChannelPermission.ConvertPublicChannelToPrivate, ChannelPermission.ConvertPrivateChannelToPublic],
    '`convert_public_channel_to_private` or `convert_private_channel_to_public`',
  )
  @Audited('update_channel_privacy', 'channel_id')
  @Operation({
    summary: 'Make a channel public or private',
    description: 'The default channel must stay public.',
    ok: ChannelDto,
    errors: [404],
  })
  async updateChannelPrivacy(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() id: string,
    @Body() body: ChannelPrivacyDto,
  ): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.setPrivacy(actor, id, body));
  }

  @Delete(':channel_id')
  @CheckedByPolicy(
    [ChannelPermission.DeletePublicChannel, ChannelPermission.DeletePrivateChannel],
    '`delete_public_channel` or `delete_private_channel`',
  )
  @Audited('delete_channel', 'channel_id')
  @Operation({
    summary: 'Archive a channel',
    description: 'Its webhooks are deleted permanently. `permanent=true` is refused with 401.',
    ok: StatusOkDto,
    errors: [404],
  })
  async deleteChannel(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.channels.archive(actor, id, isPermanent);
    return STATUS_OK;
  }

  @Post(':channel_id/restore')
  @CheckedByPolicy(TeamPermission.ManageTeam)
  @Audited('restore_channel', 'channel_id')
  @Operation({
    summary: 'Restore an archived channel',
    description: 'Its webhooks stay deleted.',
    ok: ChannelDto,
    errors: [404],
  })
  async restoreChannel(@CurrentActor() actor: Actor, @ChannelIdParam() id: string): Promise<ChannelDto> {
    return ChannelDto.from(await this.channels.restore(actor, id));
  }

  @Get(':channel_id/stats')
  @ForReaders
  @Operation({
    summary: 'Count the members and pinned posts of a channel',
    ok: ChannelStatsDto,
    errors: [404],
  })
  getChannelStats(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() id: string,
    @QueryFlag('exclude_files_count', 'Return -1 for the files.') excludesFiles: boolean,
  ): Promise<ChannelStatsDto> {
    return this.channels.stats(actor, id, excludesFiles);
  }

  @Get(':channel_id/timezones')
  @ForReaders
  @Operation({
    summary: 'List the time zones of the members of a channel',
    description: 'Each once; members without a time zone are omitted.',
    ok: { schema: { type: 'array', items: { type: 'string', maxLength: 256 }, example: ['Europe/London'] } },
    errors: [404],
  })
  getChannelMembersTimezones(@CurrentActor() actor: Actor, @ChannelIdParam() id: string): Promise<string[]> {
    return this.channels.timezones(actor, id);
  }

  @Post('direct')
  @CheckedByPolicy(
    ChannelPermission.CreateDirectChannel,
    '`create_direct_channel`, and `manage_system` for two others',
  )
  @Operation({
    summary: 'Get or create the direct channel of two users',
    description: 'Your own id alone returns the channel with yourself.',
    created: ChannelDto,
  })
  async createDirectChannel(@CurrentActor() actor: Actor, @UserIdsBody() ids: string[]): Promise<ChannelDto> {
    return ChannelDto.from(await this.direct.createDirect(actor, ids));
  }

  @Post('group')
  @CheckedByPolicy(ChannelPermission.CreateGroupChannel)
  @Operation({
    summary: 'Get or create the group channel of 3 to 8 users',
    description: 'You are always a member, listed or not.',
    created: ChannelDto,
  })
  async createGroupChannel(@CurrentActor() actor: Actor, @UserIdsBody() ids: string[]): Promise<ChannelDto> {
    return ChannelDto.from(await this.direct.createGroup(actor, ids));
  }
}

function UserIdsBody(): ParameterDecorator {
  return StringListBody('user_ids', 200, 'q7kdzcm5wtd5jfzn8u5fxpbkjo', 'w8hdzcm5wtd5jfzn8u5fxpbkja');
}
