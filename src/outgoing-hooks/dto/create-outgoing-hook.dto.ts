import {
  BodyName,
  IdField,
  IntegerField,
  NameField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import { CALLBACK_URLS, CONTENT_TYPE, ICON_URL, TRIGGER_WHEN, USERNAME } from './hook-fields.js';

/** What it takes to create an outgoing webhook (docs/contract/outgoing-webhooks.md#create). */
@BodyName('outgoing_webhook')
export class CreateOutgoingHookDto {
  @IdField({ required: true, description: 'The team to watch.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @IdField({
    description: 'The public channel to watch; empty for all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id = '';
  @IdField({
    description: 'The owner, if that is not the caller. Required in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  creator_id = '';
  @StringField({ description: 'At most 500 bytes.', example: 'Starts a deployment.' })
  description = '';
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Deployer' })
  display_name: string;
  @StringListField({
    required: true,
    description: 'The words that trigger it. May be empty when there is a channel: then every post does.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({ ...TRIGGER_WHEN, default: 0 }) trigger_when = 0;
  @StringListField({ required: true, ...CALLBACK_URLS }) callback_urls: string[];
  @StringField({ ...CONTENT_TYPE, default: 'application/x-www-form-urlencoded' }) content_type =
    'application/x-www-form-urlencoded';
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @StringField({ description: 'The server names the webhook: leave it out or empty.', example: '' })
  id = '';
}

const required = {
  team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  display_name: 'Deployer',
  trigger_words: ['!deploy'],
  callback_urls: ['https://ci.example.com/deploy'],
};

/** Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */
export const CREATE_EXAMPLES = {
  short: { summary: 'What it needs', value: required },
  full: {
    summary: 'In one channel, as JSON',
    value: {
      ...required,
      channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
      description: 'Starts a deployment.',
      trigger_when: 1,
      content_type: 'application/json',
    },
  },
};
