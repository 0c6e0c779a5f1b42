import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { type Page, QueryFlag, QueryPageOrAll, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/visible-users.js';
import { TeamScope } from '../teams/teams.policy.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelsService } from './channels.service.js';
import {
  ChannelMemberDto,
  ChannelMemberWithTeamDto,
  ChannelViewedDto,
  StringMapBody,
  ViewChannelDto,
} from './dto/channel-member.dto.js';
import { ChannelDto, ChannelIdParam } from './dto/channel.dto.js';
import { TeamIdParam } from '../teams/dto/team.dto.js';

const LAST_DELETE_AT = {
  schema: { type: 'integer', minimum: 0, default: 0 },
  description: 'Of the archived channels only those archived since, in milliseconds.',
} as const;

@ApiTags('channels')
@Controller()
export class UserChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly members: ChannelMembersService,
  ) {}

  @Get('users/:user_id/channels')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: 'List the channels of a user in all teams',
    ok: [ChannelDto],
    errors: [404],
  })
  async getChannelsForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryFlag('include_deleted', 'List archived channels too.') includeArchived: boolean,
    @QueryText('last_delete_at', LAST_DELETE_AT) since = '',
  ): Promise<ChannelDto[]> {
    return (await this.channels.listOfUser(actor, userId, includeArchived, since)).map((channel) =>
      ChannelDto.from(channel),
    );
  }

  @Get('users/:user_id/teams/:team_id/channels')
  @CheckedByPolicy(
    [CommonPermission.ViewTeam, UserPermission.EditOtherUsers],
    `${WHO_ACTS_FOR_USER}; and \`view_team\``,
  )
  @Operation({
    summary: 'List the channels of a user in a team',
    description: 'Direct and group channels are listed with every team.',
    ok: [ChannelDto],
    errors: [404],
  })
  async getChannelsForTeamForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
    @QueryFlag('include_deleted', 'List archived channels too.') includeArchived: boolean,
    @QueryText('last_delete_at', LAST_DELETE_AT) since = '',
  ): Promise<ChannelDto[]> {
    const channels = await this.channels.listOfUserInTeam(actor, userId, teamId, includeArchived, since);
    return channels.map((channel) => ChannelDto.from(channel));
  }

  @Get('users/:user_id/teams/:team_id/channels/members')
  @RequirePermission(CommonPermission.ViewTeam, TeamScope, '`view_team`, and the user or `manage_system`')
  @Operation({
    summary: 'List the memberships of a user in the channels of a team',
    description: 'Those in direct and group channels are listed with every team.',
    ok: [ChannelMemberDto],
  })
  async getChannelMembersForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TeamIdParam() teamId: string,
  ): Promise<ChannelMemberDto[]> {
    const members = await this.members.listOfUser(actor, userId, teamId);
    return members.map((member) => ChannelMemberDto.from(member, actor.userId));
  }

  @Get('users/:user_id/channel_members')
  @CheckedByPolicy(CommonPermission.ManageSystem, 'the user; others with `manage_system`')
  @Operation({
    summary: 'List the memberships of a user in the channels of all teams',
    description: 'Those in direct and group channels and in archived channels are listed too.',
    ok: [ChannelMemberWithTeamDto],
  })
  async getChannelMembersWithTeamDataForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryPageOrAll() page: Page | undefined,
  ): Promise<ChannelMemberWithTeamDto[]> {
    const members = await this.members.listOfUserInAllTeams(actor, userId, page);
    return members.map((one) => ChannelMemberWithTeamDto.of(one, actor.userId));
  }

  @Post('channels/members/:user_id/view')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: 'Mark a channel as seen',
    description: 'Both ids may be empty. The answer holds the time up to which each channel has been seen.',
    ok: ChannelViewedDto,
  })
  async viewChannel(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: ViewChannelDto,
  ): Promise<ChannelViewedDto> {
    return { status: 'OK', last_viewed_at_times: await this.members.view(actor, userId, body) };
  }

  @Put('channels/:channel_id/members/:user_id/notify_props')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: "Change how a member is told of a channel's messages",
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
}
