import { BodyName, BooleanField, IdField, NameField, StringField } from '../../platform/common/dto/fields.js';
import { CREATE_EXAMPLES } from './create-incoming-hook.dto.js';
import { CHANNEL_LOCKED, ICON_URL, KEEP_REQUESTS, USERNAME } from './hook-fields.js';

/**
 * What a webhook becomes (docs/contract/incoming-webhooks.md#update). Optional fields that are absent become empty or
 * false.
 */
@BodyName('incoming_webhook')
export class UpdateIncomingHookDto {
  @IdField({ required: true, description: 'The id in the path, again.' })
  id: string;
  @IdField({
    required: true,
    description: 'A public channel or private group of the same team, which receives the payloads.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Build server' })
  display_name: string;
  @StringField({
    required: true,
    description: 'At most 500 bytes; may be empty.',
    example: 'Tells about each build.',
  })
  description: string;
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @BooleanField({ ...CHANNEL_LOCKED, default: false }) channel_locked = false;
  @BooleanField({ description: `${KEEP_REQUESTS.description} Absent: as it is.` }) keep_requests?: boolean;
  @StringField({
    description: 'A webhook stays in its team: leave it out, or send the stored one.',
    example: '',
  })
  team_id = '';
}

const id = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Example bodies in Swagger UI: those of POST, with the id. */
export const UPDATE_EXAMPLES = {
  short: { ...CREATE_EXAMPLES.short, value: { id, ...CREATE_EXAMPLES.short.value } },
  full: { ...CREATE_EXAMPLES.full, value: { id, ...CREATE_EXAMPLES.full.value } },
};
