import { BodyName, StringField } from '../../platform/common/dto/fields.js';

/** The request to change a hook schedule. */
@BodyName('hook_schedule')
export class UpdateHookScheduleDto {
  @StringField({ required: true, description: '1 to 64 bytes.', example: 'First hook schedule' })
  display_name: string;
}
