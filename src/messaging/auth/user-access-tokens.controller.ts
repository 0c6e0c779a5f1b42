import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { AuthPermission } from './auth.permissions.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import {
  CreateUserAccessTokenDto,
  SearchTokensDto,
  TokenIdDto,
  UserAccessTokenDto,
} from './dto/user-access-token.dto.js';
import { UserAccessTokensService } from './user-access-tokens.service.js';
import { DOCS, WHO } from './user-access-tokens.docs.js';

@ApiTags('personal access tokens')
@Controller('users')
export class UserAccessTokensController {
  constructor(private readonly tokens: UserAccessTokensService) {}

  @Get('tokens')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.getUserAccessTokens)
  async getUserAccessTokens(@QueryPage() page: Page): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listAll(page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/search')
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation(DOCS.searchUserAccessTokens)
  async searchUserAccessTokens(@Body() body: SearchTokensDto): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.search(body.term)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post('tokens/revoke')
  @CheckedByPolicy(AuthPermission.RevokeUserAccessToken, WHO.revokes)
  @Audited('revoke_user_access_token', 'token_id')
  @Operation(DOCS.revokeUserAccessToken)
  async revokeUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.revoke(actor, body.token_id);
    return STATUS_OK;
  }

  @Post('tokens/disable')
  @CheckedByPolicy(AuthPermission.RevokeUserAccessToken, WHO.revokes)
  @Audited('disable_user_access_token', 'token_id')
  @Operation(DOCS.disableUserAccessToken)
  async disableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.disable(actor, body.token_id);
    return STATUS_OK;
  }

  @Post('tokens/enable')
  @CheckedByPolicy(AuthPermission.CreateUserAccessToken, WHO.creates)
  @Audited('enable_user_access_token', 'token_id')
  @Operation(DOCS.enableUserAccessToken)
  async enableUserAccessToken(@CurrentActor() actor: Actor, @Body() body: TokenIdDto): Promise<StatusOkDto> {
    await this.tokens.enable(actor, body.token_id);
    return STATUS_OK;
  }

  @Get('tokens/:token_id')
  @CheckedByPolicy(AuthPermission.ReadUserAccessToken, WHO.reads)
  @Operation(DOCS.getUserAccessToken)
  async getUserAccessToken(
    @CurrentActor() actor: Actor,
    @IdParam('token_id', 'The id of the token, not its value.') id: string,
  ): Promise<UserAccessTokenDto> {
    return UserAccessTokenDto.from(await this.tokens.get(actor, id));
  }

  @Get(':user_id/tokens')
  @CheckedByPolicy(AuthPermission.ReadUserAccessToken, WHO.reads)
  @Operation(DOCS.getUserAccessTokensForUser)
  async getUserAccessTokensForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryPage() page: Page,
  ): Promise<UserAccessTokenDto[]> {
    return (await this.tokens.listByUser(actor, userId, page)).map((token) => UserAccessTokenDto.from(token));
  }

  @Post(':user_id/tokens')
  @CheckedByPolicy(AuthPermission.CreateUserAccessToken, WHO.creates)
  @Audited('create_user_access_token', 'user_id')
  @Operation(DOCS.createUserAccessToken)
  async createUserAccessToken(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: CreateUserAccessTokenDto,
  ): Promise<UserAccessTokenDto> {
    const { token, value } = await this.tokens.create(actor, userId, body.description);
    return UserAccessTokenDto.from(token, value);
  }
}
