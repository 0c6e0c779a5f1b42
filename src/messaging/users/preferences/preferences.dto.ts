import { IdField, ShownAsRequired, StringField } from '../../../platform/common/dto/fields.js';
import type { Preference } from '../preference.entity.js';

/** A stored client setting, for requests and responses; omitted fields of a request are empty. */
export class PreferenceDto {
  @ShownAsRequired()
  @IdField({ description: 'Whose it is: the user of the path.' })
  user_id = '';
  @ShownAsRequired()
  @StringField({ description: 'What it belongs to.', example: 'display_settings', maxLength: 32 })
  category = '';
  @ShownAsRequired()
  @StringField({ description: 'Its name in the category.', example: 'use_military_time', maxLength: 32 })
  name = '';
  @ShownAsRequired()
  @StringField({ description: 'What the client stores.', example: 'true', maxLength: 20_000 })
  value = '';

  static from({ userId, category, name, value }: Preference): PreferenceDto {
    return { user_id: userId, category, name, value };
  }
}
