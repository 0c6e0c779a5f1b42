import { Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListBody } from '../../../platform/common/dto/body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../../platform/common/dto/operation.js';
import { TextParam } from '../../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users.policy.js';
import { IdField, ShownAsRequired, StringField } from '../../../platform/common/dto/fields.js';
import type { Preference } from '../preference.entity.js';
import { UserIdParam } from '../user-id-param.js';
import { PreferencesService } from './preferences.service.js';

const MAX_ITEMS = 100;

/** A stored client setting, for requests and responses; omitted fields of a request are empty. */
export class PreferenceDto {
  @ShownAsRequired()
  @IdField({ description: 'The user in the path.' })
  user_id = '';
  @ShownAsRequired()
  @StringField({ description: 'The category of the preference.', example: 'display_settings', maxLength: 32 })
  category = '';
  @ShownAsRequired()
  @StringField({ description: 'The name in the category.', example: 'use_military_time', maxLength: 32 })
  name = '';
  @ShownAsRequired()
  @StringField({ description: 'The value that the client stores.', example: 'true', maxLength: 20_000 })
  value = '';

  static from({ userId, category, name, value }: Preference): PreferenceDto {
    return { user_id: userId, category, name, value };
  }
}

@ApiTags('preferences')
@Controller('users/:user_id/preferences')
@CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Operation({ summary: 'List the preferences of a user', ok: [PreferenceDto], errors: [404] })
  async getPreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
  ): Promise<PreferenceDto[]> {
    return (await this.preferences.list(actor, userId)).map((preference) => PreferenceDto.from(preference));
  }

  @Put()
  @Operation({
    summary: 'Store preferences of a user',
    description: 'At most 100 at once.',
    ok: StatusOkDto,
    errors: [404],
  })
  async updatePreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ListBody('preferences', MAX_ITEMS, PreferenceDto) bodies: PreferenceDto[],
  ): Promise<StatusOkDto> {
    await this.preferences.put(actor, userId, bodies);
    return STATUS_OK;
  }

  @Post('delete')
  @Operation({
    summary: 'Delete preferences of a user',
    ok: StatusOkDto,
    errors: [404],
  })
  async deletePreferences(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @ListBody('preferences', MAX_ITEMS, PreferenceDto) bodies: PreferenceDto[],
  ): Promise<StatusOkDto> {
    await this.preferences.delete(actor, userId, bodies);
    return STATUS_OK;
  }

  @Get(':category')
  @Operation({
    summary: 'List the preferences of one category',
    ok: [PreferenceDto],
    errors: [404],
  })
  async getPreferencesByCategory(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TextParam('category', 'The category.') category: string,
  ): Promise<PreferenceDto[]> {
    const preferences = await this.preferences.listByCategory(actor, userId, category);
    return preferences.map((preference) => PreferenceDto.from(preference));
  }

  @Get(':category/name/:preference_name')
  @Operation({ summary: 'Get one preference', ok: PreferenceDto, errors: [404] })
  async getPreferenceByName(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @TextParam('category', 'The category.') category: string,
    @TextParam('preference_name', 'The name in the category.') name: string,
  ): Promise<PreferenceDto> {
    return PreferenceDto.from(await this.preferences.get(actor, userId, category, name));
  }
}
