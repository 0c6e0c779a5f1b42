import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { oneOf, Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission, ChannelScope } from './channels.policy.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { ChannelMembersService } from './channel-members.service.js';
import { AddChannelMemberDto, addedMembers, ChannelMemberDto } from './dto/channel-member.dto.js';
import { ChannelIdParam } from './dto/channel.dto.js';
import { MemberRolesDto, schemeFlagsOf, SchemeRolesDto } from '../teams/dto/team-member.dto.js';

const MAX_IDS = 1000;

@ApiTags('channels')
@Controller('channels')
export class ChannelMembersController {
  constructor(private readonly members: ChannelMembersService) {}

  @Post(':channel_id/members')
  @CheckedByPolicy(
    [
      ChannelPermission.JoinPublicChannels,
      ChannelPermission.ManagePublicChannelMembers,
      ChannelPermission.ManagePrivateChannelMembers,
    ],
    'open channels: `join_public_channels` for oneself, `manage_public_channel_members` for others; private ones: `manage_private_channel_members`',
  )
  @Audited('add_channel_member', 'channel_id/user_id', { many: { name: 'user_ids', field: 'user_ids' } })
  @Operation({
    summary: 'Add users to a channel',
    description:
      'With `user_id` it returns one record, with `user_ids` a list of the added users. Existing members do not change.',
    created: oneOf([ChannelMemberDto, [ChannelMemberDto]]),
    errors: [404],
  })
  async addChannelMember(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @Body() body: AddChannelMemberDto,
  ): Promise<ChannelMemberDto | ChannelMemberDto[]> {
    return addedMembers(await this.members.add(actor, channelId, body), body.user_id, actor.userId);
  }

  @Get(':channel_id/members')
  @RequirePermission(CommonPermission.ReadChannel, ChannelScope)
  @Operation({ summary: 'List the members of a channel', ok: [ChannelMemberDto] })
  async getChannelMembers(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @QueryPage() page: Page,
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.list(channelId, page);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Post(':channel_id/members/ids')
  @CheckedByPolicy(CommonPermission.ReadChannel)
  @Operation({
    summary: 'Get several members of a channel',
    description: 'Users who are not in the channel are skipped.',
    ok: [ChannelMemberDto],
  })
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
  @Operation({ summary: 'Get one member of a channel', ok: ChannelMemberDto, errors: [404] })
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
  @Operation({
    summary: 'Remove a user from a channel',
    description: 'Nobody can leave the default channel of a team.',
    ok: StatusOkDto,
    errors: [404],
  })
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
  @Operation({ summary: 'Set the roles of a channel member', ok: StatusOkDto, errors: [404] })
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
  @Operation({ summary: 'Set whether a channel member is an administrator', ok: StatusOkDto, errors: [404] })
  async updateChannelMemberSchemeRoles(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @UserIdParam() userId: string,
    @Body() body: SchemeRolesDto,
  ): Promise<StatusOkDto> {
    await this.members.setSchemeRoles(actor, channelId, userId, schemeFlagsOf(body));
    return STATUS_OK;
  }
}
