import {
  BodyName,
  IdField,
  IntegerField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';

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
  @StringField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Deployer' })
  display_name: string;
  @StringListField({
    required: true,
    description: 'The words that trigger it. May be empty when there is a channel: then every post does.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({
    description: '0: a trigger word anywhere in the message. 1: the message starts with a trigger word.',
    enum: [0, 1],
  })
  trigger_when = 0;
  @StringListField({
    required: true,
    description: 'Each of them gets a POST; 1 to 20, http or https.',
    example: ['https://ci.example.com/deploy'],
  })
  callback_urls: string[];
  @StringField({
    description: 'The format of the POST.',
    enum: ['application/x-www-form-urlencoded', 'application/json'],
  })
  content_type = 'application/x-www-form-urlencoded';
  @StringField({
    description: 'The name under which replies are posted; at most 64 bytes.',
    example: 'deployer',
  })
  username = '';
  @StringField({
    description: 'The picture with which replies are posted; at most 1024 bytes.',
    example: 'https://example.com/bot.png',
  })
  icon_url = '';
  @StringField({ description: 'The server names the webhook: leave it out or empty.', example: '' })
  id = '';
}
