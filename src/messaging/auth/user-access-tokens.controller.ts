import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { CreateUserAccessTokenDto, SearchTokensDto, TokenIdDto, UserAccessTokenDto } from './auth.dto.js';
import { AuthPermission, UserAccessTokensService } from './user-access-tokens.service.js';

const REACH =
  'for other users also `edit_other_users`, or `manage_bots` for own bots, unless the target has more permissions';
const WHO_REVOKES = `\`revoke_user_access_token\`; ${REACH}`;
const WHO_CREATES = `\`create_user_access_token\`; ${REACH}`;
const WHO_READS = `\`read_user_access_token\`; ${REACH}`;

@ApiTags('personal access tokens')
@Controller('users')
export class UserAccessTokensController {
  constructor(private readonly tokens: UserAccessTokensService) {}

  @Get('tokens')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({ summary: 'List all personal access tokens', ok: [UserAccessTokenDto] })
  async getUserAccessTokens(@QueryPage() page: Page): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listAll(page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/search')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({ summary: 'Search personal access tokens', ok: [UserAccessTokenDto] })
  async searchUserAccessTokens(@Body() body: SearchTokensDto): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.search(body.term)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/revoke')
  @CheckedByPolicy(AuthPermission.RevokeUserAccessToken, WHO_REVOKES)
  @Audited('revoke_user_access_token', 'token_id')
  @Operation({ summary: 'Delete a personal access token', ok: StatusOkDto, errors: [404] })
  async revokeUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.revoke(actor, body.token_id);
    return STATUS_OK;
  }

  @Post('tokens/disable')
  @CheckedByPolicy(AuthPermission.RevokeUserAccessToken, WHO_REVOKES)
  @Audited('disable_user_access_token', 'token_id')
  @Operation({ summary: 'Disable a personal access token', ok: StatusOkDto, errors: [404] })
  async disableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.setActive(actor, body.token_id, false);
    return STATUS_OK;
  }

  @Post('tokens/enable')
  @CheckedByPolicy(AuthPermission.CreateUserAccessToken, WHO_CREATES)
  @Audited('enable_user_access_token', 'token_id')
  @Operation({ summary: 'Enable a personal access token', ok: StatusOkDto, errors: [404] })
  async enableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.setActive(actor, body.token_id, true);
    return STATUS_OK;
  }

  @Get('tokens/:token_id')
  @CheckedByPolicy(AuthPermission.ReadUserAccessToken, WHO_READS)
  @Operation({ summary: 'Get a personal access token', ok: UserAccessTokenDto, errors: [404] })
  async getUserAccessToken(
    @CurrentActor() actor: Actor,
    @IdParam('token_id', 'The id of the token, not its value.') id: string,
  ): Promise<UserAccessTokenDto> {
    return UserAccessTokenDto.from(await this.tokens.get(actor, id));
  }

  @Get(':user_id/tokens')
  @CheckedByPolicy(AuthPermission.ReadUserAccessToken, WHO_READS)
  @Operation({
    summary: 'List the personal access tokens of a user',
    ok: [UserAccessTokenDto],
    errors: [404],
  })
  async getUserAccessTokensForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryPage() page: Page,
  ): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listByUser(actor, userId, page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post(':user_id/tokens')
  @CheckedByPolicy(AuthPermission.CreateUserAccessToken, WHO_CREATES)
  @Audited('create_user_access_token', 'user_id')
  @Operation({
    summary: 'Create a personal access token',
    description:
      'The response contains its value, which is not shown again. It acts with the current roles of its user.',
    ok: UserAccessTokenDto,
    errors: [404, 501],
  })
  async createUserAccessToken(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: CreateUserAccessTokenDto,
  ): Promise<UserAccessTokenDto> {
    const { token, value } = await this.tokens.create(actor, userId, body.description, body.expires_at);
    return UserAccessTokenDto.from(token, value);
  }
}
