import { BodyName, IdField, IntegerField, StringListField } from '../../platform/common/dto/fields.js';
import { TRIGGER_WHEN } from '../dto/hook-fields.js';
import { IN_CHANNEL_ID } from './try-outgoing-hook.dto.js';

/** When an outgoing webhook would fire that is not made yet. */
@BodyName('dry_run')
export class TryNewOutgoingHookDto {
  @IdField({ required: true, description: 'The team to watch.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @StringListField({
    required: true,
    description:
      'The words that would trigger it. May be empty when there is a channel: then every post does.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({ ...TRIGGER_WHEN, default: 0 }) trigger_when = 0;
  @IdField({
    description: 'The public channel to watch; empty for all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
    nullIsEmpty: true,
  })
  channel_id = '';
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}
