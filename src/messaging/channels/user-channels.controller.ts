import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import {
  type Page,
  QueryFlag,
  QueryId,
  QueryPageOrAll,
  QueryText,
} from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import { TeamScope } from '../teams/teams.policy.js';
import { ChannelMembersService } from './channel-members.service.js';
import { UserChannelsService } from './user-channels.service.js';
import {
  ChannelCategoriesDto,
  ChannelMemberDto,
  ChannelMemberWithTeamDto,
  ChannelUnreadDto,
  ChannelViewedDto,
  StringMapBody,
  TeamUnreadDto,
  UserThreadsDto,
  ViewChannelDto,
} from './dto/channel-member.dto.js';
import { ChannelDto, ChannelIdParam } from './dto/channel.dto.js';
import { TeamIdParam } from '../teams/dto/team.dto.js';

const LAST_DELETE_AT = {
  schema: { type: 'integer', minimum: 0, default: 0 },
  description: 'Only archived channels that were archived since this time, in milliseconds.',
} as const;

const ForUser = CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER);
const ForUserInTeam = CheckedByPolicy(
  [CommonPermission.ViewTeam, UserPermission.EditOtherUsers],
  `${WHO_ACTS_FOR_USER}; and \`view_team\``,
);

/** The channels of a user, and the data that clients show with them. */
@ApiTags('channels')
@Controller()
export class UserChannelsController {
  constructor(
    private readonly channels: UserChannelsService,
    private readonly members: ChannelMembersService,
    private readonly permissions: PermissionsService,
  ) {}

  @Get('users/:user_id/channels')
  @ForUser
  @Operation({ summary: 'List the channels of a user in all teams', ok: [ChannelDto], errors: [404] })
  async getChannelsForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryFlag('include_deleted', 'Include archived channels.') includeArchived: boolean,
    @QueryText('last_delete_at', LAST_DELETE_AT) since = '',
  ): Promise<ChannelDto[]> {
    const channels = await this.channels.listOfUser(actor, userId, { includeArchived, since });
    return channels.map((channel) => ChannelDto.from(channel));
  }

  @Get('users/:user_id/teams/:team_id/channels')
  @ForUserInTeam
  @Operation({
    summary: 'List the channels of a user in a team',
    description: 'Direct and group channels are included for every team.',
    ok: [ChannelDto],
    errors: [404],
  })
  async getChannelsForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
    @QueryFlag('include_deleted', 'Include archived channels.') includeArchived: boolean,
    @QueryText('last_delete_at', LAST_DELETE_AT) since = '',
  ): Promise<ChannelDto[]> {
    const channels = await this.channels.listOfUser(actor, userId, { teamId, includeArchived, since });
    return channels.map((channel) => ChannelDto.from(channel));
  }

  @Get('users/:user_id/teams/:team_id/channels/members')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope, '`view_team`, and the user or `manage_system`')
  @Operation({
    summary: 'List the memberships of a user in the channels of a team',
    description: 'Those in direct and group channels are included for every team.',
    ok: [ChannelMemberDto],
  })
  async getChannelMembersForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<ChannelMemberDto[]> {
    const members = await this.channels.membershipsInTeam(actor, userId, teamId);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Get('users/:user_id/channel_members')
  @CheckedByPolicy(CommonPermission.ManageSystem, 'the user; others with `manage_system`')
  @Operation({
    summary: 'List the memberships of a user in the channels of all teams',
    description: 'Includes those in direct and group channels and in archived channels.',
    ok: [ChannelMemberWithTeamDto],
  })
  async getChannelMembersWithTeamDataForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryPageOrAll() page: Page | undefined,
  ): Promise<ChannelMemberWithTeamDto[]> {
    const members = await this.channels.memberships(actor, userId, page);
    return members.map((one) => ChannelMemberWithTeamDto.of(one, actor.userId));
  }

  @Post('channels/members/:user_id/view')
  @ForUser
  @Operation({
    summary: 'Mark a channel as viewed',
    description: 'Both ids can be empty. The response contains the time until which each channel was viewed.',
    ok: ChannelViewedDto,
  })
  async viewChannel(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: ViewChannelDto,
  ): Promise<ChannelViewedDto> {
    return { status: 'OK', last_viewed_at_times: await this.channels.view(actor, userId, body) };
  }

  @Put('channels/:channel_id/members/:user_id/notify_props')
  @ForUser
  @Operation({
    summary: "Change a member's notification settings for a channel",
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

  @Get('users/:user_id/teams/unread')
  @CheckedByPolicy(CommonPermission.ManageSystem, 'the user; others with `manage_system`')
  @Operation({ summary: 'Count the unread messages of a user, by team', ok: [TeamUnreadDto] })
  getTeamsUnreadForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryId('exclude_team', 'A team to exclude.') excludedTeamId = '',
  ): Promise<TeamUnreadDto[]> {
    return this.channels.unreadByTeam(actor, userId, excludedTeamId);
  }

  @Get('users/:user_id/teams/:team_id/unread')
  @ForUserInTeam
  @Operation({
    summary: 'Count the unread messages of a user in a team',
    description: 'Direct and group channels do not count.',
    ok: TeamUnreadDto,
    errors: [404],
  })
  getTeamUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<TeamUnreadDto> {
    return this.channels.unreadInTeam(actor, userId, teamId);
  }

  @Get('users/:user_id/channels/:channel_id/unread')
  @CheckedByPolicy(
    [CommonPermission.ReadChannel, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`read_channel\``,
  )
  @Operation({
    summary: 'Count the unread messages of a user in a channel',
    ok: ChannelUnreadDto,
    errors: [404],
  })
  getChannelUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ChannelIdParam() channelId: string,
  ): Promise<ChannelUnreadDto> {
    return this.channels.unreadInChannel(actor, userId, channelId);
  }

  @Get('users/:user_id/teams/:team_id/channels/categories')
  @ForUserInTeam
  @Operation({
    summary: "List the sidebar categories of a user's channels",
    description:
      'Favorites, channels and direct messages. Favorites are the channels with a preference of the category ' +
      '`favorite_channel`. Categories cannot be created or changed.',
    ok: ChannelCategoriesDto,
  })
  async getSidebarCategoriesForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<ChannelCategoriesDto> {
    const categories = await this.channels.categories(actor, userId, teamId);
    return { order: categories.map(({ id }) => id), categories };
  }

  @Get('users/:user_id/teams/:team_id/channels/categories/order')
  @ForUserInTeam
  @Operation({
    summary: "List the ids of the sidebar categories of a user's channels, in order",
    ok: { schema: { type: 'array', items: { type: 'string', maxLength: 80 } } },
  })
  async getSidebarCategoryOrderForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<string[]> {
    return (await this.channels.categories(actor, userId, teamId)).map(({ id }) => id);
  }

  @Get('users/:user_id/teams/:team_id/threads')
  @ForUser
  @Operation({
    summary: 'List the threads that a user follows',
    description: 'Not supported by this server: always empty.',
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
