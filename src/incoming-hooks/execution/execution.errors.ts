import { AppError } from '../../platform/common/errors/app-error.js';
import { PayloadError } from '../payload/payload-forms.js';

/**
 * A payload was not posted. Clients see the outer error ID; the inner ID is in `detail`, which is sent only
 * in developer mode (docs/contract/incoming-webhooks.md#errors).
 */
export class ExecutionFailed extends AppError {
  /** `hint` is only for the caller: it may name things that others who manage the webhook cannot read. */
  constructor(
    readonly innerId: string,
    status: number,
    readonly messageForManagers: string,
    {
      hint = '',
      id = 'web.incoming_webhook.general.app_error',
      headers,
    }: { hint?: string; id?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(status, id, messageForManagers + hint, { detail: innerId, ...(headers && { headers }) });
  }
}

/** 400: the payload cannot be decoded. */
export function payloadUndecodable(error: PayloadError, isEncoded: boolean): ExecutionFailed {
  const fault = `Invalid webhook payload: ${error.detail}.`.replace(/\.\.$/, '.');
  const remedy = isEncoded
    ? 'A body with Content-Encoding is not decompressed: send it uncompressed, without that header.'
    : error.remedy;
  return new ExecutionFailed(error.id, 400, remedy === '' ? fault : `${fault} ${remedy}`, {
    id: 'web.incoming_webhook.decode.app_error',
  });
}

/** 403: the owner is gone, and DISABLE_ORPHANED_HOOKS disables such webhooks. */
export const hookOrphaned = () =>
  new ExecutionFailed(
    'web.incoming_webhook.orphaned.app_error',
    403,
    'The owner of this webhook is deactivated or has left the team, so the webhook is disabled on this server.',
    { id: 'web.incoming_webhook.orphaned.app_error' },
  );

/** 403: its time is over. */
export const hookExpired = (expiresAt: number) =>
  new ExecutionFailed(
    'web.incoming_webhook.expired.app_error',
    403,
    `This webhook expired at ${new Date(expiresAt).toISOString()}. Its owner can set a later time.`,
    { id: 'web.incoming_webhook.expired.app_error' },
  );

/** 429: more calls than the webhook may get. */
export const tooManyCalls = (limit: number, headers: Readonly<Record<string, string>>) =>
  new ExecutionFailed(
    'web.incoming_webhook.rate_limit.app_error',
    429,
    `This webhook accepts ${limit} calls per minute. Try again later.`,
    { id: 'web.incoming_webhook.rate_limit.app_error', headers },
  );

const ROOT = 'web.incoming_webhook.root.app_error';
const MESSAGE = 'web.incoming_webhook.message.app_error';

/** Whether the call failed because a message, or the thread to post into, does not exist. */
export const isGone = (error: unknown): boolean =>
  error instanceof ExecutionFailed && [ROOT, MESSAGE].includes(error.innerId);

/** 401: the call does not pass the verifier of the webhook. The hint is only for the caller. */
export const unverified = (reason: string, hint = '') =>
  new ExecutionFailed(UNVERIFIED, 401, `The call cannot be verified: ${reason}.`, { hint, id: UNVERIFIED });

const UNVERIFIED = 'web.incoming_webhook.unverified.app_error';

const fail =
  (cause: string, status: number, message: string): (() => ExecutionFailed) =>
  () =>
    new ExecutionFailed(cause, status, message);

/** Creates the errors of docs/contract/incoming-webhooks.md#errors. */
export const failures = {
  disabled: fail(
    'web.incoming_webhook.disabled.app_error',
    501,
    'Incoming webhooks are switched off on this server.',
  ),
  noText: fail(
    'web.incoming_webhook.text.app_error',
    400,
    'Invalid webhook payload: text is missing, and there are no attachments. Send one of them, such as {"text":"Hello"}.',
  ),
  unknownBlocks: (types: readonly string[]) =>
    new ExecutionFailed(
      'web.incoming_webhook.text.app_error',
      400,
      `Invalid webhook payload: text is missing, and none of its blocks can be shown (${types.join(', ')}). Send text as well, or blocks such as section.`,
    ),
  unknownHook: fail(
    'web.incoming_webhook.invalid.app_error',
    400,
    'The webhook does not exist. Check its URL in the list of webhooks: the URL is wrong, or the webhook was deleted.',
  ),
  unknownRocketChatPath: fail(
    'web.incoming_webhook.invalid.app_error',
    404,
    'Invalid integration id or token provided. Check the URL: it is wrong, or the webhook was deleted.',
  ),
  unknownUser: fail(
    'web.incoming_webhook.user.app_error',
    400,
    'Invalid webhook payload: channel names a user that does not exist. Send @ and the username, or omit channel.',
  ),
  channelGone: fail(
    'app.channel.get.existing.app_error',
    404,
    'The channel of this webhook no longer exists. Create a webhook for another channel.',
  ),
  archived: fail(
    'web.incoming_webhook.archived.app_error',
    400,
    'The channel or the team of this webhook is archived. Restore it, or use a webhook of another channel.',
  ),
  severalTargets: fail(
    'web.incoming_webhook.channel.app_error',
    400,
    'Invalid webhook payload: channel names several targets, and only one is allowed. Send one payload for each of them.',
  ),
  unknownChannel: (suggested?: string) =>
    new ExecutionFailed(
      'web.incoming_webhook.channel.app_error',
      404,
      'Invalid webhook payload: channel names a channel that does not exist, or that the webhook cannot post to. Send the name of a channel of its team, or omit channel.',
      { hint: suggested === undefined ? '' : ` Did you mean ${suggested}?` },
    ),
  locked: fail(
    'web.incoming_webhook.channel_locked.app_error',
    403,
    'This webhook can only post to its own channel. Omit channel, or set channel_locked of the webhook to false.',
  ),
  ownerGone: fail(
    'web.incoming_webhook.user.app_error',
    403,
    'The owner of this webhook no longer exists. Create a webhook with another owner.',
  ),
  notReadable: fail(
    'web.incoming_webhook.permissions.app_error',
    403,
    'The owner of this webhook cannot read its channel, is deactivated, or has left the team. Restore the access of the owner, or create a webhook with another owner.',
  ),
  noDirect: fail(
    'web.incoming_webhook.direct.app_error',
    403,
    'This webhook cannot post direct messages: its owner is deactivated or has left the team, or another user created or changed it. Create your own webhook in one of your teams.',
  ),
  sharedAddress: fail(
    'web.incoming_webhook.direct.app_error',
    403,
    'This webhook cannot post direct messages: others manage the webhooks of its team and see its URL. Create it in a team without other managers, let them manage webhooks on the whole system, or set SHARED_WEBHOOK_DIRECT_MESSAGES to true.',
  ),
  badRoot: fail(
    ROOT,
    400,
    'Invalid webhook payload: root_id, or thread_ts, is not the first post of a thread in the channel. Send the id of such a post, or omit it.',
  ),
  noMessage: () =>
    new ExecutionFailed(
      MESSAGE,
      404,
      'The webhook has no such message. Check the id: the message was deleted, or the webhook did not post it.',
      { id: MESSAGE },
    ),
  noPriority: fail(
    'api.context.invalid_param.app_error',
    400,
    'Invalid webhook payload: priority.priority is missing, or longer than 64 characters. Send a name such as important, or omit priority.',
  ),
  systemType: fail(
    'api.context.invalid_param.app_error',
    400,
    'Invalid webhook payload: type must not begin with system_.',
  ),
  unknownType: fail(
    'api.post.create_webhook_post.creating.app_error',
    400,
    'Invalid webhook payload: type must be empty, slack_attachment, me, or begin with custom_.',
  ),
  propsTooLarge: fail(
    'web.incoming_webhook.split_props_length.app_error',
    400,
    'Invalid webhook payload: props are too large. Shorten props and attachments: a post holds 800,000 characters of them as JSON.',
  ),
  template: (reason: string) =>
    new ExecutionFailed(
      'web.incoming_webhook.template.app_error',
      422,
      `The template of this webhook failed: ${reason}. Check the template with this call as a preview.`,
      { id: 'web.incoming_webhook.template.app_error' },
    ),
  badKey: fail(
    'api.context.invalid_param.app_error',
    400,
    'The Idempotency-Key header must have 1 to 255 characters.',
  ),
};
