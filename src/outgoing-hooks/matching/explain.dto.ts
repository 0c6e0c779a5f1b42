import { BodyName, IdField, StringField } from '../../platform/common/dto/fields.js';

/** A message that somebody might write. */
@BodyName('explain')
export class ExplainDto {
  @IdField({ required: true, description: 'The channel.', example: 'gqsr16q5bj8ikq9dsu7mzp3acy' })
  channel_id: string;
  @StringField({ required: true, description: 'At most 16383 characters.', example: 'please !deploy now' })
  message: string;
}
