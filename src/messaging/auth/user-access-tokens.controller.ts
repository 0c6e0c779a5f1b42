import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { UserIdParam } from '../users/user-id-param.js';
import {
  CreateUserAccessTokenDto,
  SearchTokensDto,
  TokenIdDto,
  UserAccessTokenDto,
} from './dto/user-access-token.dto.js';
import { UserAccessTokensService } from './user-access-tokens.service.js';

const REACH = 'for other users also `edit_other_users`, for administrators `manage_system`';

@ApiTags('personal access tokens')
@ApiBearerAuth()
@Controller('users')
export class UserAccessTokensController {
  constructor(private readonly tokens: UserAccessTokensService) {}

  @Get('tokens')
  @RequirePermission(Permission.ManageSystem)
  @Operation({
    summary: 'List all personal access tokens',
    permission: '`manage_system`',
    errors: [401, 403],
  })
  @ApiOkResponse({ type: [UserAccessTokenDto] })
  async getUserAccessTokens(@QueryPage() page: Page): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listAll(page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/search')
  @HttpCode(200)
  @RequirePermission(Permission.ManageSystem)
  @Operation({
    summary: 'Search personal access tokens',
    permission: '`manage_system`',
    errors: [400, 401, 403],
  })
  @ApiOkResponse({ type: [UserAccessTokenDto] })
  async searchUserAccessTokens(@Body() body: SearchTokensDto): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.search(body.term ?? '')).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/revoke')
  @HttpCode(200)
  @CheckedByPolicy(Permission.RevokeUserAccessToken)
  @Audited('revoke_user_access_token', 'token_id')
  @Operation({
    summary: 'Delete a personal access token',
    permission: `\`revoke_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async revokeUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.revoke(actor, body.token_id ?? '');
    return STATUS_OK;
  }

  @Post('tokens/disable')
  @HttpCode(200)
  @CheckedByPolicy(Permission.RevokeUserAccessToken)
  @Audited('disable_user_access_token', 'token_id')
  @Operation({
    summary: 'Switch a personal access token off',
    permission: `\`revoke_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async disableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.disable(actor, body.token_id ?? '');
    return STATUS_OK;
  }

  @Post('tokens/enable')
  @HttpCode(200)
  @CheckedByPolicy(Permission.CreateUserAccessToken)
  @Audited('enable_user_access_token', 'token_id')
  @Operation({
    summary: 'Switch a personal access token on',
    permission: `\`create_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async enableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.enable(actor, body.token_id ?? '');
    return STATUS_OK;
  }

  @Get('tokens/:token_id')
  @CheckedByPolicy(Permission.ReadUserAccessToken)
  @Operation({
    summary: 'Get a personal access token',
    permission: `\`read_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: UserAccessTokenDto })
  async getUserAccessToken(
    @CurrentActor() actor: Actor,
    @IdParam('token_id', 'The id of the token, not its value.') id: string,
  ): Promise<UserAccessTokenDto> {
    return UserAccessTokenDto.from(await this.tokens.get(actor, id));
  }

  @Get(':user_id/tokens')
  @CheckedByPolicy(Permission.ReadUserAccessToken)
  @Operation({
    summary: 'List the personal access tokens of a user',
    permission: `\`read_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: [UserAccessTokenDto] })
  async getUserAccessTokensForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @QueryPage() page: Page,
  ): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listByUser(actor, userId, page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post(':user_id/tokens')
  @HttpCode(200)
  @CheckedByPolicy(Permission.CreateUserAccessToken)
  @Audited('create_user_access_token', 'user_id')
  @Operation({
    summary: 'Create a personal access token',
    description:
      'The answer holds its value, which is not shown again. It acts with the roles that its user has at the time.',
    permission: `\`create_user_access_token\`; ${REACH}`,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: UserAccessTokenDto })
  async createUserAccessToken(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @Body() body: CreateUserAccessTokenDto,
  ): Promise<UserAccessTokenDto> {
    const { token, value } = await this.tokens.create(actor, userId, body.description ?? '');
    return UserAccessTokenDto.from(token, value);
  }
}
