import {
  BodyName,
  BooleanField,
  IdField,
  IntegerField,
  NameField,
  NullableObjectField,
  NullableObjectListField,
  StringField,
  StringListField,
} from '../../platform/common/dto/fields.js';
import { AUTH, GivenAuthDto, GivenHeaderDto, HEADERS } from '../credentials/credentials.dto.js';
import { HOOK_EVENTS, TRIGGERED, WHEN } from '../events/hook-events.js';
import { DELIVERY_MODES, type DeliveryMode, ORDERINGS } from '../outgoing-hook.entity.js';
import { IdParam } from '../../platform/common/dto/params.js';

/* Documentation of fields shared by several requests. */

export const CHANNEL_ID = {
  description:
    'The channel of the webhook, public or a private one that the caller can read; empty for the whole team.',
  example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
};

export const TRIGGER_WHEN = {
  description:
    '0: a trigger word anywhere in the message. 1: the message starts with a trigger word. 2: the first word of the message equals a trigger word.',
  enum: [0, 1, 2],
};

const CALLBACK_URLS = {
  description: 'Each of them receives a POST; 1 to 20, http or https. Empty with `delivery` `pull`.',
  example: ['https://ci.example.com/deploy'],
};

const CONTENT_TYPE = {
  description: 'The format of the POST.',
  enum: ['application/x-www-form-urlencoded', 'application/json'],
};

const USERNAME = { description: 'The author name of replies; at most 64 bytes.', example: 'deployer' };

const ICON_URL = {
  description: 'The picture of replies; at most 1024 bytes.',
  example: 'https://example.com/bot.png',
};

const EVENTS = {
  description: HOOK_EVENTS.map((name) => `\`${name}\`: ${WHEN[name]}`).join(' '),
  example: ['message.triggered', 'message.edited'],
};

const BOT_USER_ID = {
  description:
    'The bot of `bot.mentioned` and `bot.direct_message`, which also writes the replies. The caller must be allowed to manage it.',
  example: '',
};

const INCLUDE_BOTS = {
  description: 'Whether messages of bots and webhooks are events too; does not change `message.triggered`.',
};
const DELIVERY = {
  description:
    '`push`: the server calls the callback URLs. `pull`: `callback_urls` is empty, and consumers pull the deliveries.',
  enum: DELIVERY_MODES,
};

export const ORDERING =
  '`channel`: the messages of a channel are sent to a callback URL one after the other, in their order; one that fails delays the following messages of its channel. Empty: no order.';
export const REQUESTS_PER_SECOND =
  'The maximum number of calls per second, to all callback URLs together; 0 for no limit. At most 1000.';

const ORDERED = { description: ORDERING, enum: [...ORDERINGS] };

const RATE = { description: REQUESTS_PER_SECOND, example: 10 };

const TEAM_ID = { description: 'The team cannot change: omit it, or send the stored one.', example: '' };

/** The request to create an outgoing webhook (docs/contract/outgoing-webhooks.md#create). */
@BodyName('outgoing_webhook')
export class CreateOutgoingHookDto {
  @IdField({ required: true, description: 'The team of the webhook.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @IdField({
    description: 'The public channel of the webhook; empty for all public channels of the team.',
    example: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  })
  channel_id = '';
  @IdField({
    description: 'The owner, if it is not the caller. Required in local mode.',
    example: 'o1sd3xnpxjbwbyyhf9amnzpzyh',
  })
  creator_id = '';
  @StringField({ description: 'At most 500 bytes.', example: 'Starts a deployment.' }) description = '';
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Deployer' })
  display_name: string;
  @StringListField({
    required: true,
    description: 'The trigger words. Can be empty with a channel: then every post triggers it.',
    example: ['!deploy'],
  })
  trigger_words: string[];
  @IntegerField({ ...TRIGGER_WHEN, default: 0 }) trigger_when = 0;
  @StringListField({ required: true, ...CALLBACK_URLS }) callback_urls: string[];
  @StringField({ ...CONTENT_TYPE, default: 'application/x-www-form-urlencoded' }) content_type =
    'application/x-www-form-urlencoded';
  @NameField(USERNAME) username = '';
  @NameField(ICON_URL) icon_url = '';
  @NullableObjectListField(HEADERS, GivenHeaderDto) headers?: GivenHeaderDto[] | null;
  @NullableObjectField(AUTH, GivenAuthDto) auth?: GivenAuthDto | null;
  @StringListField({ ...EVENTS, description: `${EVENTS.description} If absent: \`${TRIGGERED}\`.` })
  events: string[] = [TRIGGERED];
  @IdField(BOT_USER_ID) bot_user_id = '';
  @BooleanField({ ...INCLUDE_BOTS, default: false }) include_bots = false;
  @StringField({ ...DELIVERY, default: 'push' }) delivery: DeliveryMode = 'push';
  @StringField({ ...ORDERED, default: '' }) ordering = '';
  @IntegerField({ ...RATE, default: 0 }) requests_per_second = 0;
  @StringField({ description: 'The server assigns the id: omit it or leave it empty.', example: '' }) id = '';
}

const required = {
  team_id: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  display_name: 'Deployer',
  trigger_words: ['!deploy'],
  callback_urls: ['https://ci.example.com/deploy'],
};

/** Example bodies in Swagger UI. Each is accepted once its ids are replaced by real ones. */
export const CREATE_EXAMPLES = {
  short: { summary: 'Required fields', value: required },
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

export const HookIdParam = (): ParameterDecorator => IdParam('hook_id', 'The webhook.');

/** Changes to an outgoing webhook; absent fields stay unchanged. */
@BodyName('outgoing_webhook')
export class PatchOutgoingHookDto {
  @IdField(CHANNEL_ID) channel_id?: string;
  @NameField({ description: 'At most 64 bytes.', example: 'Deployer' }) display_name?: string;
  @StringField({ description: 'At most 500 bytes.', example: 'Starts a deployment.' }) description?: string;
  @StringListField({ description: 'The trigger words.', example: ['!deploy', '!rollback'] })
  trigger_words?: string[];
  @IntegerField(TRIGGER_WHEN) trigger_when?: number;
  @StringListField(CALLBACK_URLS) callback_urls?: string[];
  @StringField(CONTENT_TYPE) content_type?: string;
  @NameField(USERNAME) username?: string;
  @NameField(ICON_URL) icon_url?: string;
  @NullableObjectListField(HEADERS, GivenHeaderDto) headers?: GivenHeaderDto[] | null;
  @NullableObjectField(AUTH, GivenAuthDto) auth?: GivenAuthDto | null;
  @StringListField(EVENTS) events?: string[];
  @IdField(BOT_USER_ID) bot_user_id?: string;
  @BooleanField(INCLUDE_BOTS) include_bots?: boolean;
  @StringField(DELIVERY) delivery?: DeliveryMode;
  @StringField(ORDERED) ordering?: string;
  @IntegerField(RATE) requests_per_second?: number;
  @StringField(TEAM_ID) team_id = '';
}

export const PATCH_EXAMPLES = {
  words: { summary: 'Other trigger words', value: { trigger_words: ['!deploy', '!rollback'] } },
  urls: { summary: 'Another receiver', value: { callback_urls: ['https://ci.example.com/v2/deploy'] } },
  headers: { summary: 'A secret header', value: { headers: HEADERS.example } },
  auth: { summary: 'With user and password', value: { auth: AUTH.example } },
  pace: { summary: 'In order, and slowly', value: { ordering: 'channel', requests_per_second: 10 } },
};

/** Null counts as sent, so it must equal the stored value (docs/contract/conventions.md#required-fields). */
const SENT_BACK = {
  description: 'PUT does not change it: omit it or send the stored value. PATCH does.',
  nullIsEmpty: true,
};

/** The full update of a webhook (docs/contract/outgoing-webhooks.md#update). */
@BodyName('outgoing_webhook')
export class UpdateOutgoingHookDto {
  @IdField({ required: true, description: 'The same id as in the path.' }) id: string;
  @IdField({ required: true, ...CHANNEL_ID }) channel_id: string;
  @NameField({ required: true, description: 'At most 64 bytes; may be empty.', example: 'Deployer' })
  display_name: string;
  @StringField({
    required: true,
    description: 'At most 500 bytes; may be empty.',
    example: 'Starts a deployment.',
  })
  description: string;
  @NameField({ description: 'The author name of replies; unchanged if absent.', example: 'deployer' })
  username?: string;
  @NameField({
    description: 'The picture of replies; unchanged if absent.',
    example: 'https://example.com/bot.png',
  })
  icon_url?: string;
  @NullableObjectListField(HEADERS, GivenHeaderDto) headers?: GivenHeaderDto[] | null;
  @NullableObjectField(AUTH, GivenAuthDto) auth?: GivenAuthDto | null;
  @StringField(TEAM_ID) team_id = '';
  @StringListField(SENT_BACK) trigger_words?: string[];
  @IntegerField({ ...SENT_BACK, enum: TRIGGER_WHEN.enum }) trigger_when?: number;
  @StringListField(SENT_BACK) callback_urls?: string[];
  @StringField(SENT_BACK) content_type?: string;
  @StringListField(SENT_BACK) events?: string[];
  @IdField(SENT_BACK) bot_user_id?: string;
  @BooleanField(SENT_BACK) include_bots?: boolean;
  @StringField(SENT_BACK) delivery?: string;
  @StringField(SENT_BACK) ordering?: string;
  @IntegerField(SENT_BACK) requests_per_second?: number;
}

export const UPDATE_EXAMPLES = {
  short: {
    summary: 'Required fields',
    value: {
      id: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
      channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
      display_name: 'Deployer',
      description: 'Starts a deployment.',
    },
  },
};

const MAX_VALUE_LENGTH = 512;

/**
 * A shell command that changes one field of an outgoing webhook with PATCH
 * (docs/contract/outgoing-webhooks.md#update). URLs may contain secrets, so they are not repeated.
 */
export function patchCommand(siteUrl: string, hookId: string, field: string, value: unknown): string {
  const written = JSON.stringify(field === 'callback_urls' ? ['https://…'] : value);
  const shown = written.length > MAX_VALUE_LENGTH ? '…' : written;
  const body = quoted(`{${JSON.stringify(field)}:${shown}}`);
  const url = quoted(`${siteUrl}/api/v4/hooks/outgoing/${hookId}`);
  return `curl -X PATCH -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d ${body} ${url}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
