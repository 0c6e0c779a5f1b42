import { IdField, ShownAsRequired, StringField } from '../../../platform/common/dto/fields.js';
import type { Preference } from '../preference.entity.js';

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
