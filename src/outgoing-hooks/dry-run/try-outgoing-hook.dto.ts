import { BodyName, IdField, IntegerField, StringListField } from '../../platform/common/dto/fields.js';
import { CHANNEL_ID, TRIGGER_WHEN } from '../dto/hook-fields.js';

export const IN_CHANNEL_ID = {
  description:
    'The channel whose messages it is tried on; without it the one that the webhook will watch. Needed if that is the whole team.',
  example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  nullIsEmpty: true,
};

/** A change of an outgoing webhook that is only tried; what is absent stays. */
@BodyName('dry_run')
export class TryOutgoingHookDto {
  @StringListField({ description: 'The words that would trigger it.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField(TRIGGER_WHEN) trigger_when?: number;
  @IdField(CHANNEL_ID) channel_id?: string;
  @IdField(IN_CHANNEL_ID) in_channel_id = '';
}
