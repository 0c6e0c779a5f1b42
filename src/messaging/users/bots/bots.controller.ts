import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckedByPolicy, RequirePermission } from '../../../platform/access/access.js';
import { Audited } from '../../../platform/audit/audited.js';
import { Operation } from '../../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryPage } from '../../../platform/common/dto/params.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { UserDto } from '../dto/user.dto.js';
import { UserIdParam } from '../user-id-param.js';
import { UsersPolicy } from '../users.policy.js';
import { BotPermission } from './bots.policy.js';
import { BotsService } from './bots.service.js';
import { BotDto, ConvertBotDto, CreateBotDto, PatchBotDto } from './bots.dto.js';

const WHO_MANAGES =
  '`manage_bots` for own bots, `manage_others_bots` for others, unless the target has more permissions';

const BotIdParam = (): ParameterDecorator => IdParam('bot_user_id', 'The id of the bot account.');
const MANAGES = [BotPermission.ManageBots, BotPermission.ManageOthersBots];
const READS = [BotPermission.ReadBots, BotPermission.ReadOthersBots];

/** Program accounts. */
@ApiTags('bots')
@Controller()
export class BotsController {
  constructor(
    private readonly bots: BotsService,
    private readonly users: UsersPolicy,
  ) {}

  @Post('bots')
  @CheckedByPolicy(BotPermission.CreateBot, '`create_bot`; not for bots')
  @Audited('create_bot')
  @Operation({
    summary: 'Create a bot',
    description:
      'An account for a program: it has tokens and webhooks, and cannot sign in. The caller owns it.',
    created: BotDto,
  })
  async createBot(@CurrentActor() actor: Actor, @Body() body: CreateBotDto): Promise<BotDto> {
    return BotDto.from(await this.bots.create(actor, body));
  }

  @Get('bots')
  @CheckedByPolicy(READS, '`read_bots` lists own bots, `read_others_bots` all')
  @Operation({ summary: 'List bots', ok: [BotDto] })
  async getBots(
    @CurrentActor() actor: Actor,
    @QueryPage() page: Page,
    @QueryFlag('include_deleted', 'Include disabled bots.') includesDeleted: boolean,
    @QueryFlag('only_orphaned', 'Only those whose owner is deactivated or gone.') isOrphaned: boolean,
  ): Promise<BotDto[]> {
    const bots = await this.bots.list(actor, { includesDeleted, isOrphaned }, page);
    return bots.map((bot) => BotDto.from(bot));
  }

  @Get('bots/:bot_user_id')
  @CheckedByPolicy(READS, '`read_bots` for own bots, `read_others_bots` for others; otherwise 404')
  @Operation({ summary: 'Get a bot', ok: BotDto, errors: [404] })
  async getBot(
    @CurrentActor() actor: Actor,
    @BotIdParam() id: string,
    @QueryFlag('include_deleted', 'Also if it is disabled.') includesDeleted: boolean,
  ): Promise<BotDto> {
    return BotDto.from(await this.bots.get(actor, id, includesDeleted));
  }

  @Put('bots/:bot_user_id')
  @CheckedByPolicy(MANAGES, WHO_MANAGES)
  @Audited('patch_bot', 'bot_user_id')
  @Operation({
    summary: 'Change a bot',
    description: 'Missing fields do not change.',
    ok: BotDto,
    errors: [404],
  })
  async patchBot(
    @CurrentActor() actor: Actor,
    @BotIdParam() id: string,
    @Body() body: PatchBotDto,
  ): Promise<BotDto> {
    return BotDto.from(await this.bots.update(actor, id, body));
  }

  @Post('bots/:bot_user_id/enable')
  @CheckedByPolicy(MANAGES, WHO_MANAGES)
  @Audited('enable_bot', 'bot_user_id')
  @Operation({ summary: 'Enable a bot', ok: BotDto, errors: [404] })
  async enableBot(@CurrentActor() actor: Actor, @BotIdParam() id: string): Promise<BotDto> {
    return BotDto.from(await this.bots.setActive(actor, id, true));
  }

  @Post('bots/:bot_user_id/disable')
  @CheckedByPolicy(MANAGES, WHO_MANAGES)
  @Audited('disable_bot', 'bot_user_id')
  @Operation({
    summary: 'Disable a bot',
    description:
      'Its tokens stop working until it is enabled again. The same happens when its owner is deactivated.',
    ok: BotDto,
    errors: [404],
  })
  async disableBot(@CurrentActor() actor: Actor, @BotIdParam() id: string): Promise<BotDto> {
    return BotDto.from(await this.bots.setActive(actor, id, false));
  }

  @Post('bots/:bot_user_id/assign/:user_id')
  @CheckedByPolicy(MANAGES, WHO_MANAGES)
  @Audited('assign_bot', 'bot_user_id')
  @Operation({
    summary: 'Assign a bot to another owner',
    description: 'The new owner must be a user of this server.',
    ok: BotDto,
    errors: [404],
  })
  async assignBot(
    @CurrentActor() actor: Actor,
    @BotIdParam() id: string,
    @UserIdParam() userId: string,
  ): Promise<BotDto> {
    return BotDto.from(await this.bots.assign(actor, id, userId));
  }

  @Post('bots/:bot_user_id/convert_to_user')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('convert_bot_to_user', 'bot_user_id')
  @Operation({
    summary: 'Convert a bot to a user',
    description: 'The account can sign in with the password in the body. Its tokens stay valid.',
    ok: UserDto,
    errors: [404],
  })
  async convertBotToUser(
    @CurrentActor() actor: Actor,
    @BotIdParam() id: string,
    @Body() body: ConvertBotDto,
    @QueryFlag('set_system_admin', 'Make it a system administrator.') isAdmin: boolean,
  ): Promise<UserDto> {
    return this.users.shown(actor, await this.bots.toUser(actor, id, body, isAdmin));
  }

  @Post('users/:user_id/convert_to_bot')
  @RequirePermission(CommonPermission.ManageSystem)
  @Audited('convert_user_to_bot', 'user_id')
  @Operation({
    summary: 'Convert a user to a bot',
    description: 'Ends the sessions and removes the password. Tokens and webhooks stay valid.',
    ok: BotDto,
    errors: [404],
  })
  async convertUserToBot(@UserIdParam() id: string): Promise<BotDto> {
    return BotDto.from(await this.bots.toBot(id));
  }
}
