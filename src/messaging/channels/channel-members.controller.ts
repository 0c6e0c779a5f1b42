import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission } from './channels.permissions.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { MemberRolesDto, SchemeRolesDto, schemeFlagsOf } from '../teams/dto/write-team-member.dto.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelScope } from './channel.scope.js';
import { addedMembers, ChannelMemberDto, ChannelViewedDto } from './dto/channel-member.dto.js';
import { AddChannelMemberDto, StringMapBody, ViewChannelDto } from './dto/write-channel-member.dto.js';
import { DOCS } from './channel-members.docs.js';
import { ChannelIdParam } from './dto/channel.params.js';

const MAX_IDS = 1000;

@ApiTags('channels')
@ApiExtraModels(ChannelMemberDto)
@Controller('channels')
export class ChannelMembersController {
  constructor(private readonly members: ChannelMembersService) {}

  @Post('members/:user_id/view')
  @CheckedByPolicy(UserPermission.EditOtherUsers, 'the user; others with `edit_other_users`')
  @Operation(DOCS.viewChannel)
  async viewChannel(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: ViewChannelDto,
  ): Promise<ChannelViewedDto> {
    return { status: 'OK', last_viewed_at_times: await this.members.view(actor, userId, body) };
  }

  @Post(':channel_id/members')
  @CheckedByPolicy(
    [
      ChannelPermission.JoinPublicChannels,
      ChannelPermission.ManagePublicChannelMembers,
      ChannelPermission.ManagePrivateChannelMembers,
    ],
    'open channels: `join_public_channels` for oneself, `manage_public_channel_members` for others; private ones: `manage_private_channel_members`',
  )
  @Audited('add_channel_member', 'channel_id/user_id')
  @Operation(DOCS.addChannelMember)
  async addChannelMember(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @Body() body: AddChannelMemberDto,
  ): Promise<ChannelMemberDto | ChannelMemberDto[]> {
    return addedMembers(await this.members.add(actor, channelId, body), body.user_id, actor.userId);
  }

  @Get(':channel_id/members')
  @RequirePermission(CommonPermission.ReadChannel, ChannelScope)
  @Operation(DOCS.getChannelMembers)
  async getChannelMembers(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.list(channelId, page.offset, page.perPage);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Post(':channel_id/members/ids')
  @CheckedByPolicy(CommonPermission.ReadChannel)
  @Operation(DOCS.getChannelMembersByIds)
  async getChannelMembersByIds(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @StringListBody('user_ids', MAX_IDS, 'q7kdzcm5wtd5jfzn8u5fxpbkjo') userIds: string[],
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.listByUserIds(actor, channelId, userIds);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Get(':channel_id/members/:user_id')
  @RequirePermission(CommonPermission.ReadChannel, ChannelScope)
  @Operation(DOCS.getChannelMember)
  async getChannelMember(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
  ): Promise<ChannelMemberDto> {
    return ChannelMemberDto.from(await this.members.get(channelId, userId), actor.userId);
  }

  @Delete(':channel_id/members/:user_id')
  @CheckedByPolicy(
    [ChannelPermission.ManagePublicChannelMembers, ChannelPermission.ManagePrivateChannelMembers],
    '`manage_public_channel_members` or `manage_private_channel_members`; none for oneself',
  )
  @Audited('remove_channel_member', 'channel_id/user_id')
  @Operation(DOCS.removeChannelMember)
  async removeChannelMember(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
  ): Promise<StatusOkDto> {
    await this.members.remove(actor, channelId, userId);
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/roles')
  @CheckedByPolicy(ChannelPermission.ManageChannelRoles)
  @Audited('update_channel_member_roles', 'channel_id/user_id')
  @Operation(DOCS.updateChannelMemberRoles)
  async updateChannelMemberRoles(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
    @Body() body: MemberRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setRoles(actor, channelId, userId, body.roles);
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/schemeRoles')
  @CheckedByPolicy(ChannelPermission.ManageChannelRoles)
  @Audited('update_channel_member_scheme_roles', 'channel_id/user_id')
  @Operation(DOCS.updateChannelMemberSchemeRoles)
  async updateChannelMemberSchemeRoles(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
    @Body() body: SchemeRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setSchemeRoles(actor, channelId, userId, schemeFlagsOf(body));
    return STATUS_OK;
  }

  @Put(':channel_id/members/:user_id/notify_props')
  @CheckedByPolicy(UserPermission.EditOtherUsers, 'the user; others with `edit_other_users`')
  @Operation(DOCS.updateChannelMemberNotifyProps)
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
