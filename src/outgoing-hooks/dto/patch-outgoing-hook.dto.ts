import {
  BodyName,
  IdField,
  IntegerField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';

/** What is to change in an outgoing webhook; what is absent stays. */
@BodyName('outgoing_webhook')
export class PatchOutgoingHookDto {
  @IdField({
    description:
      'The channel to watch, public or a private one that the caller can read; empty for the whole team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id?: string;
  @StringField({ description: 'At most 64 bytes.', example: 'Deployer' })
  display_name?: string;
  @StringField({ description: 'At most 500 bytes.', example: 'Starts a deployment.' })
  description?: string;
  @StringListField({ description: 'The words that trigger it.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField({
    description: '0: a trigger word anywhere in the message. 1: the message starts with a trigger word.',
    enum: [0, 1],
  })
  trigger_when?: number;
  @StringListField({
    description: 'Each of them gets a POST; 1 to 20, http or https.',
    example: ['https://ci.example.com/deploy'],
  })
  callback_urls?: string[];
  @StringField({
    description: 'The format of the POST.',
    enum: ['application/x-www-form-urlencoded', 'application/json'],
  })
  content_type?: string;
  @StringField({
    description: 'The name under which replies are posted; at most 64 bytes.',
    example: 'deployer',
  })
  username?: string;
  @StringField({
    description: 'The picture with which replies are posted; at most 1024 bytes.',
    example: 'https://example.com/bot.png',
  })
  icon_url?: string;
  @StringField({
    description: 'A webhook stays in its team: leave it out, or send the stored one.',
    example: '',
  })
  team_id = '';
}
