import {
  BodyName,
  IdField,
  IntegerField,
  NameField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import {
  CALLBACK_URLS,
  CHANNEL_ID,
  CONTENT_TYPE,
  ICON_URL,
  TEAM_ID,
  TRIGGER_WHEN,
  USERNAME,
} from './hook-fields.js';

/** What is to change in an outgoing webhook; what is absent stays. */
@BodyName('outgoing_webhook')
export class PatchOutgoingHookDto {
  @IdField(CHANNEL_ID) channel_id?: string;
  @NameField({ description: 'At most 64 bytes.', example: 'Deployer' })
  display_name?: string;
  @StringField({ description: 'At most 500 bytes.', example: 'Starts a deployment.' })
  description?: string;
  @StringListField({ description: 'The words that trigger it.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField(TRIGGER_WHEN) trigger_when?: number;
  @StringListField(CALLBACK_URLS) callback_urls?: string[];
  @StringField(CONTENT_TYPE) content_type?: string;
  @NameField(USERNAME) username?: string;
  @NameField(ICON_URL) icon_url?: string;
  @StringField(TEAM_ID) team_id = '';
}

/** Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */
export const PATCH_EXAMPLES = {
  words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
  urls: { summary: 'Another receiver', value: { callback_urls: ['https://ci.example.com/v2/deploy'] } },
};
