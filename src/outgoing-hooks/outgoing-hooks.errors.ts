import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

const refused = (status: number, id: string, message: string) => () => new AppError(status, id, message);
const invalid = (id: string, field: string, reason: string) => () => new ValidationFailed(id, field, reason);

/** 404: unknown or deleted. */
export class OutgoingHookNotFound extends AppError {
  constructor() {
    super(404, 'app.webhooks.get_outgoing.app_error', 'No such outgoing webhook.');
  }
}

export const outgoingHooksDisabled = refused(
  501,
  'api.outgoing_webhook.disabled.app_error',
  'Outgoing webhooks are switched off on this server.',
);

export const outgoingHookIdGiven = invalid(
  'app.webhooks.save_outgoing.override.app_error',
  'id',
  'the server assigns the id of a new webhook; omit it.',
);

export const teamMismatch = invalid(
  'api.webhook.team_mismatch.app_error',
  'team_id',
  'a webhook cannot move to another team.',
);

export const creatorNotInTeam = invalid(
  'api.webhook.create_outgoing.creator_not_in_team.app_error',
  'creator_id',
  'the creator must be a member of the team.',
);

const channelRefused = (id: string, reason: string) => refused(403, id, `Invalid channel_id: ${reason}`);

/** A new webhook needs a public channel. The contract prescribes this unrelated error id. */
export const channelNotOpen = channelRefused(
  'api.outgoing_webhook.disabled.app_error',
  'the channel must be a public one.',
);

export const channelNotReadable = channelRefused(
  'api.webhook.create_outgoing.not_open.app_error',
  'the channel must be a public one, or a private one that you can read.',
);

export const directChannelRefused = channelRefused(
  'api.webhook.explain_outgoing.direct_channel.app_error',
  'outgoing webhooks never fire in direct and group channels.',
);

export const channelOfOtherTeam = channelRefused(
  'api.webhook.create_outgoing.permissions.app_error',
  'the channel must be in the team of the webhook.',
);

export const triggersMissing = invalid(
  'api.webhook.create_outgoing.triggers.app_error',
  'trigger_words',
  'a webhook without a channel needs at least one trigger word.',
);

/** docs/contract/outgoing-webhooks.md#duplicates */
export const hookIntersects = (action: 'create' | 'update') =>
  new ValidationFailed(
    `api.webhook.${action}_outgoing.intersect.app_error`,
    'callback_urls',
    'another webhook of this channel has the same URL and the same trigger word.',
  );

/** PUT does not accept this field; PATCH does (docs/contract/outgoing-webhooks.md#update). */
export const fieldNotAccepted = (field: string, command: string) =>
  new ValidationFailed(
    'api.context.invalid_body_param.app_error',
    field,
    `PUT cannot change it. Send the stored value, omit it, or use PATCH: ${command}`,
  );

export const hookIsDisabled = refused(
  409,
  'app.webhooks.outgoing_disabled.app_error',
  'The webhook, or this callback URL, was disabled because it failed. Enable the webhook first.',
);

export const secretsUnreadable = refused(
  409,
  'app.webhooks.secrets_unreadable.app_error',
  'The secrets of the webhook cannot be decrypted with the key of this server. Generate new ones with regen_token, and send those of headers and auth again.',
);

export const tooManyOutgoingHooksInTeam = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.outgoing_per_team.app_error',
    `A team can have at most ${limit} outgoing webhooks. Delete unused ones.`,
  );

export const tooManyOutgoingHooksOfUser = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.outgoing_per_user.app_error',
    `A user can have at most ${limit} outgoing webhooks in a team. Delete unused ones.`,
  );

/** 409: the server calls its URLs. */
export const hookIsPushed = refused(
  409,
  'app.webhooks.outgoing_pull.app_error',
  'The deliveries of this webhook cannot be pulled: its delivery is push.',
);

/** Deliveries of a paused webhook cannot be resent (docs/contract/outgoing-webhooks.md#pausing). */
export const hookIsPaused = (reason: string) =>
  new AppError(409, 'app.webhooks.outgoing_paused.app_error', `The webhook is paused: ${reason}.`);

/** A status of its own, so that receivers that fail do not count as errors of this server. */
export const hookIsUnhealthy = (status: string, reason: string) =>
  new AppError(
    424,
    'app.webhooks.outgoing_unhealthy.app_error',
    `The webhook is ${status}${reason && `: ${reason.replace(/\.$/, '')}`}.`,
  );

export const tooManyTestCalls = (what: string) =>
  new AppError(
    429,
    'api.context.rate_limit_exceeded.app_error',
    `${what} in progress, which is the maximum. Try again when one of them has ended.`,
    { headers: { 'Retry-After': '5' } },
  );
