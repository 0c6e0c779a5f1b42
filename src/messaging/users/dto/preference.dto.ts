import { ApiProperty } from '@nestjs/swagger';
import type { Preference } from '../preference.entity.js';

/** A stored client setting, in and out. */
export class PreferenceDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) user_id: string;
  @ApiProperty({ example: 'display_settings', maxLength: 32 }) category: string;
  @ApiProperty({ example: 'use_military_time', maxLength: 32 }) name: string;
  @ApiProperty({ example: 'true', maxLength: 20_000 }) value: string;

  static from({ userId, category, name, value }: Preference): PreferenceDto {
    return { user_id: userId, category, name, value };
  }
}
