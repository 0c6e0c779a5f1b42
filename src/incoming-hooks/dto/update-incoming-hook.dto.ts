import { BodyName, BooleanField, IdField, StringField } from '../../platform/common/dto/fields.js';

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
  @StringField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Build server' })
  display_name: string;
  @StringField({
    required: true,
    description: 'At most 500 bytes; may be empty.',
    example: 'Tells about each build.',
  })
  description: string;
  @StringField({
    description: 'The name to post as: 1 to 64 of a–z, 0–9, dot, dash, underscore.',
    example: 'build-bot',
  })
  username = '';
  @StringField({
    description: 'The picture to post with; at most 1024 bytes.',
    example: 'https://example.com/bot.png',
  })
  icon_url = '';
  @BooleanField({
    description:
      'Post into this channel only. Always true for callers without `bypass_incoming_webhook_channel_lock`.',
  })
  channel_locked = false;
  @StringField({
    description: 'A webhook stays in its team: leave it out, or send the stored one.',
    example: '',
  })
  team_id = '';
}
