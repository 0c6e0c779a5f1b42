import {
  BodyName,
  IdField,
  IntegerField,
  NameField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import { CHANNEL_ID, TEAM_ID } from './hook-fields.js';

/** Null is a value that was sent, and so has to be the stored one (docs/contract/conventions.md#required-fields). */
const SENT_BACK = {
  description: 'PUT does not change it: leave it out or send the stored value. PATCH does.',
  nullIsEmpty: true,
};

/** What a webhook becomes (docs/contract/outgoing-webhooks.md#update). */
@BodyName('outgoing_webhook')
export class UpdateOutgoingHookDto {
  @IdField({ required: true, description: 'The id in the path, again.' })
  id: string;
  @IdField({ required: true, ...CHANNEL_ID }) channel_id: string;
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Deployer' })
  display_name: string;
  @StringField({
    required: true,
    description: 'At most 500 bytes; may be empty.',
    example: 'Starts a deployment.',
  })
  description: string;
  @NameField({
    description: 'The name under which replies are posted; stays when absent.',
    example: 'deployer',
  })
  username?: string;
  @NameField({
    description: 'The picture with which replies are posted; stays when absent.',
    example: 'https://example.com/bot.png',
  })
  icon_url?: string;
  @StringField(TEAM_ID) team_id = '';
  @StringListField(SENT_BACK) trigger_words?: string[];
  @IntegerField({ ...SENT_BACK, enum: [0, 1] }) trigger_when?: number;
  @StringListField(SENT_BACK) callback_urls?: string[];
  @StringField(SENT_BACK) content_type?: string;
}

/** Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */
export const UPDATE_EXAMPLES = {
  short: {
    summary: 'What it needs',
    value: {
      id: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
      channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
      display_name: 'Deployer',
      description: 'Starts a deployment.',
    },
  },
};
