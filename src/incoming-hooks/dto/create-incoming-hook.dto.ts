import { BodyName, BooleanField, IdField, NameField, StringField } from '../../platform/common/dto/fields.js';
import { CHANNEL_LOCKED, ICON_URL, KEEP_REQUESTS, USERNAME } from './hook-fields.js';

/** What it takes to create an incoming webhook (docs/contract/incoming-webhooks.md#create). */
@BodyName('incoming_webhook')
export class CreateIncomingHookDto {
  @IdField({
    required: true,
    description: 'A public channel or private group, which receives the payloads.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id: string;
  @IdField({
    description: 'The owner, if that is not the caller. Required in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  user_id = '';
  @NameField({ description: 'At most 64 bytes.', example: 'Build server' })
  display_name = '';
  @StringField({ description: 'At most 500 bytes.', example: 'Tells about each build of the main branch.' })
  description = '';
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @BooleanField({ ...CHANNEL_LOCKED, default: false }) channel_locked = false;
  @BooleanField({ ...KEEP_REQUESTS, default: false }) keep_requests = false;
  @StringField({ description: 'The server names the webhook: leave it out or empty.', example: '' })
  id = '';
}

const required = {
  channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  display_name: 'Build server',
  description: 'Tells about each build of the main branch.',
};

/** Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */
export const CREATE_EXAMPLES = {
  short: { summary: 'What it needs', value: required },
  full: {
    summary: 'With a name, a picture and a lock',
    value: {
      ...required,
      username: 'build-bot',
      icon_url: 'https://example.com/bot.png',
      channel_locked: true,
    },
  },
};
