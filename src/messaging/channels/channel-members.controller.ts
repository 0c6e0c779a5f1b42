import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { UserIdParam } from '../users/user-id-param.js';
import { MemberRolesDto, SchemeRolesDto, schemeFlagsOf } from '../teams/dto/write-team-member.dto.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelScope } from './channel.scope.js';
import { addedMembers, ChannelMemberDto, ChannelViewedDto } from './dto/channel-member.dto.js';
import { AddChannelMemberDto, StringMapBody, ViewChannelDto } from './dto/write-channel-member.dto.js';

const MAX_IDS = 1000;

@ApiTags('channels')
@ApiBearerAuth()
@ApiExtraModels(ChannelMemberDto)
@Controller('channels')
export class ChannelMembersController {
  constructor(private readonly members: ChannelMembersService) {}

  @Post('members/:user_id/view')
  @HttpCode(200)
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Operation({
    summary: 'Mark a channel as seen',
    description: 'Both ids may be empty. The answer holds the time up to which each channel has been seen.',
    permission: 'the user; others with `edit_other_users`',
    errors: [400, 401, 403, 413],
  })
  @ApiOkResponse({ type: ChannelViewedDto })
  async viewChannel(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @Body() body: ViewChannelDto,
  ): Promise<ChannelViewedDto> {
    return { status: 'OK', last_viewed_at_times: await this.members.view(actor, userId, body) };
  }

  @Post(':channel_id/members')
  @CheckedByPolicy([
    Permission.JoinPublicChannels,
    Permission.ManagePublicChannelMembers,
    Permission.ManagePrivateChannelMembers,
  ])
  @Audited('add_channel_member', 'channel_id/user_id')
  @Operation({
    summary: 'Add users to a channel',
    description:
      'With `user_id` the answer is one record, with `user_ids` a list of those who could be added. A user who is in the channel already stays as is.',
    permission:
      'open channels: `join_public_channels` for oneself, `manage_public_channel_members` for others; private ones: `manage_private_channel_members`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiCreatedResponse({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(ChannelMemberDto) },
        { type: 'array', items: { $ref: getSchemaPath(ChannelMemberDto) } },
      ],
    },
  })
  async addChannelMember(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @Body() body: AddChannelMemberDto,
  ): Promise<ChannelMemberDto | ChannelMemberDto[]> {
    return addedMembers(await this.members.add(actor, channelId, body), body.user_id, actor.userId);
  }

  @Get(':channel_id/members')
  @RequirePermission(Permission.ReadChannel, ChannelScope)
  @Operation({
    summary: 'List the members of a channel',
    permission: '`read_channel`',
    errors: [400, 401, 403],
  })
  @ApiOkResponse({ type: [ChannelMemberDto] })
  async getChannelMembers(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.list(channelId, page.offset, page.perPage);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Post(':channel_id/members/ids')
  @HttpCode(200)
  @CheckedByPolicy(Permission.ReadChannel)
  @Operation({
    summary: 'Get several members of a channel',
    description: 'Users who are not in the channel are skipped.',
    permission: '`read_channel`',
    errors: [400, 401, 403, 413],
  })
  @ApiBody({ schema: { type: 'array', items: { type: 'string' }, example: ['q7kdzcm5wtd5jfzn8u5fxpbkjo'] } })
  @ApiOkResponse({ type: [ChannelMemberDto] })
  async getChannelMembersByIds(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @Body(new StringListBody('user_ids', MAX_IDS)) userIds: string[],
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.listByUserIds(actor, channelId, userIds);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Get(':channel_id/members/:user_id')
  @RequirePermission(Permission.ReadChannel, ChannelScope)
  @Operation({
    summary: 'Get one member of a channel',
    permission: '`read_channel`',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: ChannelMemberDto })
  async getChannelMember(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @UserIdParam('user_id') userId: string,
  ): Promise<ChannelMemberDto> {
    return ChannelMemberDto.from(await this.members.get(channelId, userId), actor.userId);
  }

  @Delete(':channel_id/members/:user_id')
  @CheckedByPolicy([Permission.ManagePublicChannelMembers, Permission.ManagePrivateChannelMembers])
  @Audited('remove_channel_member', 'channel_id/user_id')
  @Operation({
    summary: 'Remove a user from a channel',
    description: 'Only guests leave the default channel of a team.',
    permission: '`manage_public_channel_members` or `manage_private_channel_members`; none for oneself',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async removeChannelMember(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @UserIdParam('user_id') userId: string,
  ): Promise<StatusOkDto> {
    await this.members.remove(actor, channelId, userId);
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/roles')
  @CheckedByPolicy(Permission.ManageChannelRoles)
  @Audited('update_channel_member_roles', 'channel_id/user_id')
  @Operation({
    summary: 'Set the roles of a channel member',
    permission: '`manage_channel_roles`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateChannelMemberRoles(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @UserIdParam('user_id') userId: string,
    @Body() body: MemberRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setRoles(actor, channelId, userId, body.roles ?? '');
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/schemeRoles')
  @CheckedByPolicy(Permission.ManageChannelRoles)
  @Audited('update_channel_member_scheme_roles', 'channel_id/user_id')
  @Operation({
    summary: 'Set whether a channel member is an administrator',
    permission: '`manage_channel_roles`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateChannelMemberSchemeRoles(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @UserIdParam('user_id') userId: string,
    @Body() body: SchemeRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setSchemeRoles(actor, channelId, userId, schemeFlagsOf(body));
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/notify_props')
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Operation({
    summary: "Change how a member is told of a channel's messages",
    description: 'Unknown settings are ignored.',
    permission: 'the user; others with `edit_other_users`',
    errors: [400, 401, 403, 404, 413],
  })
  @ApiBody({
    schema: {
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { desktop: 'mention', mark_unread: 'all' },
    },
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateChannelMemberNotifyProps(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The channel.') channelId: string,
    @UserIdParam('user_id') userId: string,
    @Body(new StringMapBody('notify_props')) props: Record<string, string>,
  ): Promise<StatusOkDto> {
    await this.members.setNotifyProps(actor, channelId, userId, props);
    return STATUS_OK;
  }
}
