import type { PipeTransform } from '@nestjs/common';
import { decodeBody } from '../../../platform/common/dto/body.pipe.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isJsonObject } from '../../../platform/common/json.js';
import type { PreferenceDto } from '../dto/preference.dto.js';

const MAX_ITEMS = 100;
const FIELDS = ['user_id', 'category', 'name', 'value'] as const;

/** A body that is a list of preferences; an absent value is empty. */
export class PreferencesBody implements PipeTransform<unknown, PreferenceDto[]> {
  transform(value: unknown): PreferenceDto[] {
    const list = Buffer.isBuffer(value) ? decodeBody(value, 'preferences') : value;
    if (!Array.isArray(list)) throw new InvalidBodyParam('preferences', 'it must be a list');
    if (list.length === 0 || list.length > MAX_ITEMS) {
      throw new InvalidBodyParam('preferences', `it must have 1 to ${MAX_ITEMS} items`);
    }
    return list.map((item: unknown) => {
      if (!isJsonObject(item)) throw new InvalidBodyParam('preferences', 'its items must be objects');
      const preference: PreferenceDto = { user_id: '', category: '', name: '', value: '' };
      for (const field of FIELDS) {
        const text = item[field] ?? '';
        if (typeof text !== 'string') throw new InvalidBodyParam(field, 'must be a string');
        preference[field] = text;
      }
      return preference;
    });
  }
}
