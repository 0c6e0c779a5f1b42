import { oneOf, type OperationOptions, StatusOkDto } from '../platform/common/dto/operation.js';
import { CreateIncomingHookDto } from './dto/create-incoming-hook.dto.js';
import { IncomingHookListDto } from './dto/incoming-hook-list.dto.js';
import { IncomingHookDto } from './dto/incoming-hook.dto.js';
import { UpdateIncomingHookDto } from './dto/update-incoming-hook.dto.js';

/* The examples are bodies that Swagger UI offers: each is accepted once the ids are real ones. */

const required = {
  channel_id: 'gqsr16q5bj8ikq9dsu7mzp3acy',
  display_name: 'Build server',
  description: 'Tells about each build of the main branch.',
};

const CREATE_EXAMPLES = {
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

const id = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

const UPDATE_EXAMPLES = {
  short: { summary: 'What it needs', value: { id, ...required } },
  full: { summary: 'With a name, a picture and a lock', value: { id, ...CREATE_EXAMPLES.full.value } },
};

/** Who may call the operations. */
export const WHO = {
  manages:
    '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_incoming_webhooks`; for a private channel also the right to read it',
  creates:
    '`manage_webhooks` on the team of the channel, and the right to read the channel; for another owner also `manage_others_incoming_webhooks` on that team',
  lists: '`manage_webhooks` on the team that `team_id` names, without one on the system',
};

/** What the API description says of the operations. */
export const DOCS = {
  create: {
    summary: 'Create an incoming webhook',
    description:
      'The answer’s `id` makes the address `/hooks/{id}`, to which programs POST payloads. Whoever knows it can post, so keep it secret.',
    body: { type: CreateIncomingHookDto, examples: CREATE_EXAMPLES },
    created: IncomingHookDto,
    errors: [404, 501],
  },
  list: {
    summary: 'List incoming webhooks, oldest first',
    description:
      'Without `manage_others_incoming_webhooks`, the list and the count hold the caller’s own only. Webhooks in private channels that the caller cannot read are left out.',
    ok: oneOf([[IncomingHookDto], IncomingHookListDto], 'The list; with `include_total_count`, the object.'),
    errors: [501],
  },
  get: { summary: 'Get an incoming webhook', ok: IncomingHookDto, errors: [404, 501] },
  update: {
    summary: 'Replace an incoming webhook',
    description:
      'Replaces channel, names, picture and lock: an optional field that is absent becomes empty, or false. Owner and team stay. Another channel takes the permission on the old and on the new one.',
    body: { type: UpdateIncomingHookDto, examples: UPDATE_EXAMPLES },
    ok: IncomingHookDto,
    errors: [404, 501],
  },
  delete: {
    summary: 'Delete an incoming webhook',
    description: 'Its address stops working at once.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
} satisfies Record<string, OperationOptions>;
