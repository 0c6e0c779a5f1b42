import { BodyName, BooleanField, IdField, StringField } from '../../platform/common/dto/fields.js';

/** What it takes to create an incoming webhook (docs/contract/incoming-webhooks.md#create). */
@BodyName('incoming_webhook')
export class CreateIncomingHookDto {
  @IdField({
    required: true,
    description: 'A public channel or private group, which receives the payloads.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id?: string;
  @IdField({
    description: 'The owner, if that is not the caller. Required in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  user_id?: string;
  @StringField({ description: 'At most 64 bytes.', example: 'Build server' })
  display_name?: string;
  @StringField({ description: 'At most 500 bytes.', example: 'Tells about each build of the main branch.' })
  description?: string;
  @StringField({
    description: 'The name to post as: 1 to 64 of a–z, 0–9, dot, dash, underscore.',
    example: 'build-bot',
  })
  username?: string;
  @StringField({
    description: 'The picture to post with; at most 1024 bytes.',
    example: 'https://example.com/bot.png',
  })
  icon_url?: string;
  @BooleanField({
    description:
      'Post into this channel only. Always true for callers without `bypass_incoming_webhook_channel_lock`.',
    default: false,
  })
  channel_locked?: boolean;
  @StringField({ description: 'The server names the webhook: leave it out or empty.', example: '' })
  id?: string;
}
