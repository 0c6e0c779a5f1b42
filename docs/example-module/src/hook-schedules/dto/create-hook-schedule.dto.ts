import { BodyName, IdField, IntegerField, StringField } from '../../platform/common/dto/fields.js';

/** The request to create a hook schedule. */
@BodyName('hook_schedule')
export class CreateHookScheduleDto {
  @IdField({ required: true, description: 'The team.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @StringField({ required: true, description: '1 to 64 bytes.', example: 'First hook schedule' })
  display_name: string;
  @IdField({ required: true, description: 'The incoming webhook to post through; it must be in the team.' })
  hook_id: string;
  @StringField({ required: true, description: '1 to 4000 bytes.', example: 'Coffee is ready.' })
  text: string;
  @IntegerField({
    required: true,
    description: 'When to post; a time in the past means now.',
    example: 1764633600000,
  })
  post_at = 0;
}
