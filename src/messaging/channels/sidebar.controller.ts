import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryId } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/visible-users.js';
import {
  ChannelCategoriesDto,
  ChannelUnreadDto,
  TeamUnreadDto,
  UserThreadsDto,
} from './dto/channel-member.dto.js';
import { ChannelIdParam } from './dto/channel.dto.js';
import { TeamIdParam } from '../teams/dto/team.dto.js';
import { SidebarService, UnreadService } from './unread.service.js';

/** Sidebar data that clients show with a user's channels. */
@ApiTags('channels')
@Controller('users/:user_id')
export class SidebarController {
  constructor(
    private readonly unread: UnreadService,
    private readonly sidebar: SidebarService,
    private readonly permissions: PermissionsService,
  ) {}

  @Get('teams/unread')
  @CheckedByPolicy(CommonPermission.ManageSystem, 'the user; others with `manage_system`')
  @Operation({ summary: 'Count what a user has not read, by team', ok: [TeamUnreadDto] })
  async getTeamsUnreadForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryId('exclude_team', 'A team to leave out.') excludedTeamId = '',
  ): Promise<TeamUnreadDto[]> {
    return (await this.unread.byTeam(actor, userId, excludedTeamId)).map((unread) =>
      TeamUnreadDto.from(unread),
    );
  }

  @Get('teams/:team_id/unread')
  @CheckedByPolicy(
    [CommonPermission.ViewTeam, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`view_team\``,
  )
  @Operation({
    summary: 'Count what a user has not read in a team',
    description: 'Direct and group channels do not count.',
    ok: TeamUnreadDto,
    errors: [404],
  })
  async getTeamUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<TeamUnreadDto> {
    return TeamUnreadDto.from(await this.unread.inTeam(actor, userId, teamId));
  }

  @Get('channels/:channel_id/unread')
  @CheckedByPolicy(
    [CommonPermission.ReadChannel, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`read_channel\``,
  )
  @Operation({
    summary: 'Count what a user has not read in a channel',
    ok: ChannelUnreadDto,
    errors: [404],
  })
  async getChannelUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ChannelIdParam() channelId: string,
  ): Promise<ChannelUnreadDto> {
    return ChannelUnreadDto.from(await this.unread.inChannel(actor, userId, channelId));
  }

  @Get('teams/:team_id/channels/categories')
  @CheckedByPolicy(
    [CommonPermission.ViewTeam, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`view_team\``,
  )
  @Operation({
    summary: "List the folders of a user's channel list",
    description:
      'Favorites, channels and direct messages. Favorites are the channels that have a preference of the category ' +
      '`favorite_channel`. Folders cannot be created or changed.',
    ok: ChannelCategoriesDto,
  })
  async getSidebarCategoriesForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<ChannelCategoriesDto> {
    return ChannelCategoriesDto.from(await this.sidebar.categories(actor, userId, teamId));
  }

  @Get('teams/:team_id/channels/categories/order')
  @CheckedByPolicy(
    [CommonPermission.ViewTeam, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`view_team\``,
  )
  @Operation({
    summary: "List the ids of the folders of a user's channel list, in order",
    ok: { schema: { type: 'array', items: { type: 'string', maxLength: 80 } } },
  })
  async getSidebarCategoryOrderForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<string[]> {
    return (await this.sidebar.categories(actor, userId, teamId)).map(({ id }) => id);
  }

  @Get('teams/:team_id/threads')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: 'List the threads that a user follows',
    description: 'Not kept on this server: always empty.',
    ok: UserThreadsDto,
  })
  async getUserThreads(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() _teamId: string,
  ): Promise<UserThreadsDto> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
    return { total: 0, total_unread_threads: 0, total_unread_mentions: 0, threads: [] };
  }
}
