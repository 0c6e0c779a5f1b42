import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelCategoriesDto, TeamUnreadDto, UserThreadsDto } from './dto/channel-member.dto.js';
import { DOCS } from './user-channels.docs.js';
import { TeamIdParam } from '../teams/dto/team.params.js';

const SELF = 'the user; others with `edit_other_users`, unless they may do more';

/** What clients show beside the channels of a user. */
@ApiTags('channels')
@Controller('users/:user_id')
export class SidebarController {
  constructor(
    private readonly members: ChannelMembersService,
    private readonly permissions: PermissionsService,
  ) {}

  @Get('teams/unread')
  @CheckedByPolicy(CommonPermission.ManageSystem, 'the user; others with `manage_system`')
  @Operation(DOCS.getTeamsUnreadForUser)
  async getTeamsUnreadForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryId('exclude_team', 'A team to leave out.') excludedTeamId = '',
  ): Promise<TeamUnreadDto[]> {
    return (await this.members.unread(actor, userId, excludedTeamId)).map((unread) =>
      TeamUnreadDto.from(unread),
    );
  }

  @Get('teams/:team_id/channels/categories')
  @CheckedByPolicy(UserPermission.EditOtherUsers, SELF)
  @Operation(DOCS.getSidebarCategoriesForTeamForUser)
  async getSidebarCategoriesForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() _teamId: string,
  ): Promise<ChannelCategoriesDto> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    return { order: [], categories: [] };
  }

  @Get('teams/:team_id/threads')
  @CheckedByPolicy(UserPermission.EditOtherUsers, SELF)
  @Operation(DOCS.getUserThreads)
  async getUserThreads(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() _teamId: string,
  ): Promise<UserThreadsDto> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    return { total: 0, total_unread_threads: 0, total_unread_mentions: 0, threads: [] };
  }
}
