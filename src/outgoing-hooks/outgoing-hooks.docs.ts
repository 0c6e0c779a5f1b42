import { type OperationOptions, StatusOkDto } from '../platform/common/dto/operation.js';
import { CreateOutgoingHookDto } from './dto/create-outgoing-hook.dto.js';
import { OutgoingHookDto, RegeneratedHookDto } from './dto/outgoing-hook.dto.js';
import { PatchOutgoingHookDto } from './dto/patch-outgoing-hook.dto.js';
import { UpdateOutgoingHookDto } from './dto/update-outgoing-hook.dto.js';
import { CREATE_EXAMPLES, PATCH_EXAMPLES, UPDATE_EXAMPLES } from './outgoing-hooks.examples.js';

/** Who may call the operations. */
export const WHO = {
  manages:
    '`manage_webhooks` on the system, the team or the channel; for a webhook of somebody else also `manage_others_outgoing_webhooks`; to do more with one of a private channel than get or delete it, the right to read the channel',
  creates:
    '`manage_webhooks` on the team; for another owner also `manage_others_outgoing_webhooks` on that team',
  lists:
    '`manage_webhooks` on the channel or team that is named, without one on the system. An unknown channel is a 404 for those who have it on the system, a 403 for others',
  tries:
    '`manage_webhooks` on the system, the team or the channel, also where the webhook would move to; for a webhook of somebody else also `manage_others_outgoing_webhooks`; the right to read the private channel that it watches, and the channel that it is tried on',
  triesNew: '`manage_webhooks` on the team, and the right to read the channel that it is tried on',
  explains:
    '`manage_webhooks` on the system, the team or the channel, and the right to read a private channel; webhooks of others are told with `manage_others_outgoing_webhooks` only. An unknown channel is a 404 for those who have `manage_webhooks` on the system, a 403 for others',
};

/** What the API description says of the operations. */
export const DOCS = {
  createOutgoingWebhook: {
    summary: 'Create an outgoing webhook',
    description:
      'Each message of the team, or of one channel, that contains a trigger word is sent to the callback URLs. The creator must be a member of the team.',
    body: { type: CreateOutgoingHookDto, examples: CREATE_EXAMPLES },
    created: OutgoingHookDto,
    errors: [404, 501],
  },
  getOutgoingWebhooks: {
    summary: 'List outgoing webhooks, oldest first',
    description:
      'Without `manage_others_outgoing_webhooks` the list holds the caller’s own only. `channel_id` wins over `team_id`. Those of a private channel that the caller cannot read come without their secrets.',
    ok: [OutgoingHookDto],
    errors: [404, 501],
  },
  getOutgoingWebhook: {
    summary: 'Get an outgoing webhook',
    description: 'Without its secrets for callers who cannot read the private channel that it watches.',
    ok: OutgoingHookDto,
    errors: [404, 501],
  },
  updateOutgoingWebhook: {
    summary: 'Change channel and names of an outgoing webhook',
    description:
      'Trigger words, callback URLs, format and mode may be sent back as they are stored; a change of one of them is refused with a 400 that names it, because PATCH is the call for that. Another channel takes the permission on the old and on the new one.',
    body: { type: UpdateOutgoingHookDto, examples: UPDATE_EXAMPLES },
    ok: OutgoingHookDto,
    errors: [404, 501],
  },
  patchOutgoingWebhook: {
    summary: 'Change any part of an outgoing webhook',
    description:
      'What is absent stays. Owner, team and token cannot be changed here. What waits for a callback URL that is removed is cancelled. The webhook is switched off when all its URLs are given up, and on again when it gets another one.',
    body: { type: PatchOutgoingHookDto, examples: PATCH_EXAMPLES },
    ok: OutgoingHookDto,
    errors: [404, 501],
  },
  deleteOutgoingWebhook: {
    summary: 'Delete an outgoing webhook',
    description: 'Deliveries that are waiting are cancelled.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
  regenOutgoingHookToken: {
    summary: 'Give an outgoing webhook a new token and a new signing secret',
    description:
      'The old token is gone at once, also for deliveries that are waiting. The old signing secret goes on signing beside the new one for `SIGNING_OVERLAP`.',
    ok: RegeneratedHookDto,
    errors: [404, 501],
  },
  enableOutgoingWebhook: {
    summary: 'Switch an outgoing webhook on again',
    description:
      'It is switched off when its callback URLs answer 410 or fail for `OUTGOING_DISABLE_AFTER`. What it missed can be sent again with `recover`.',
    ok: OutgoingHookDto,
    errors: [404, 501],
  },
} satisfies Record<string, OperationOptions>;
