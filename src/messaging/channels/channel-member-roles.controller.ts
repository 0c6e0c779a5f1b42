import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ChannelPermission } from './channels.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { MemberRolesDto, SchemeRolesDto, schemeFlagsOf } from '../teams/dto/write-team-member.dto.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelIdParam } from './dto/channel.params.js';

@ApiTags('channels')
@Controller('channels/:channel_id/members/:user_id')
export class ChannelMemberRolesController {
  constructor(private readonly members: ChannelMembersService) {}

  @Put('roles')
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

  @Put('schemeRoles')
  @CheckedByPolicy(ChannelPermission.ManageChannelRoles)
  @Audited('update_channel_member_scheme_roles', 'channel_id/user_id')
  @Operation({
    summary: 'Set whether a channel member is an administrator',
    ok: StatusOkDto,
    errors: [404],
  })
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
