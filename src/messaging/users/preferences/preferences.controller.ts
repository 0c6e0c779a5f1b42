import { Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListBody } from '../../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../../platform/common/dto/operation.js';
import { TextParam } from '../../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { UserPermission } from '../users.permissions.js';
import { PreferenceDto } from '../dto/preference.dto.js';
import { UserIdParam } from '../user-id-param.js';
import { PreferencesService } from './preferences.service.js';
import { DOCS } from './preferences.docs.js';

const WHO = 'the user; others with `edit_other_users`, unless they may do more';
const MAX_ITEMS = 100;

@ApiTags('preferences')
@Controller('users/:user_id/preferences')
@CheckedByPolicy(UserPermission.EditOtherUsers, WHO)
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Operation(DOCS.getPreferences)
  async getPreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
  ): Promise<PreferenceDto[]> {
    return (await this.preferences.list(actor, userId)).map((preference) => PreferenceDto.from(preference));
  }

  @Put()
  @Operation(DOCS.updatePreferences)
  async updatePreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ListBody('preferences', MAX_ITEMS, PreferenceDto) bodies: PreferenceDto[],
  ): Promise<StatusOkDto> {
    await this.preferences.put(actor, userId, bodies);
    return STATUS_OK;
  }

  @Post('delete')
  @Operation(DOCS.deletePreferences)
  async deletePreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ListBody('preferences', MAX_ITEMS, PreferenceDto) bodies: PreferenceDto[],
  ): Promise<StatusOkDto> {
    await this.preferences.delete(actor, userId, bodies);
    return STATUS_OK;
  }

  @Get(':category')
  @Operation(DOCS.getPreferencesByCategory)
  async getPreferencesByCategory(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TextParam('category', 'The category.') category: string,
  ): Promise<PreferenceDto[]> {
    const preferences = await this.preferences.listByCategory(actor, userId, category);
    return preferences.map((preference) => PreferenceDto.from(preference));
  }

  @Get(':category/name/:preference_name')
  @Operation(DOCS.getPreferenceByName)
  async getPreferenceByName(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TextParam('category', 'The category.') category: string,
    @TextParam('preference_name', 'The name in the category.') name: string,
  ): Promise<PreferenceDto> {
    return PreferenceDto.from(await this.preferences.get(actor, userId, category, name));
  }
}
