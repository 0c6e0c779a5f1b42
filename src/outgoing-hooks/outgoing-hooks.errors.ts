import { AppError } from '../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../platform/common/errors/common-errors.js';

/** 404: unknown or deleted. */
export class OutgoingHookNotFound extends NotFound {
  constructor() {
    super('app.webhooks.get_outgoing.app_error', 'No such outgoing webhook.');
  }
}

/** 501: ENABLE_OUTGOING_WEBHOOKS is false. */
export class OutgoingHooksDisabled extends FeatureDisabled {
  constructor() {
    super('api.outgoing_webhook.disabled.app_error', 'Outgoing webhooks are switched off on this server.');
  }
}

/** 400: the client sent an id, but the server assigns ids. */
export class OutgoingHookIdGiven extends ValidationFailed {
  constructor() {
    super(
      'app.webhooks.save_outgoing.override.app_error',
      'id',
      'the server names a new webhook; leave it out.',
    );
  }
}

/** 400: the body names another team than the one of the webhook. */
export class TeamMismatch extends ValidationFailed {
  constructor() {
    super('api.webhook.team_mismatch.app_error', 'team_id', 'a webhook cannot move to another team.');
  }
}

/** 400: the creator of a new webhook is not a member of its team. */
export class CreatorNotInTeam extends ValidationFailed {
  constructor() {
    super(
      'api.webhook.create_outgoing.creator_not_in_team.app_error',
      'creator_id',
      'the creator must be a member of the team.',
    );
  }
}

/** 400: the creator of a new webhook is a guest who may not manage webhooks. */
export class CreatorIsGuest extends ValidationFailed {
  constructor() {
    super(
      'api.webhook.create_outgoing.creator_is_guest.app_error',
      'creator_id',
      'the creator must not be a guest, unless they may manage the webhooks of the team.',
    );
  }
}

/** 403: the webhook may not watch this channel. */
export class ChannelRefused extends AppError {
  readonly status = 403;
  constructor(
    readonly id: string,
    reason: string,
  ) {
    super(`Invalid channel_id: ${reason}`);
  }

  /** A new webhook needs a public channel. The error id is the contract's, although it names something else. */
  static notOpenOnCreate(): ChannelRefused {
    return new ChannelRefused('api.outgoing_webhook.disabled.app_error', 'the channel must be a public one.');
  }

  static notReadable(): ChannelRefused {
    return new ChannelRefused(
      'api.webhook.create_outgoing.not_open.app_error',
      'the channel must be a public one, or a private one that you can read.',
    );
  }

  static direct(): ChannelRefused {
    return new ChannelRefused(
      'api.webhook.explain_outgoing.direct_channel.app_error',
      'outgoing webhooks never fire in direct and group channels.',
    );
  }

  static otherTeam(): ChannelRefused {
    return new ChannelRefused(
      'api.webhook.create_outgoing.permissions.app_error',
      'the channel must be in the team of the webhook.',
    );
  }
}

/** 400: a webhook for a whole team needs trigger words. */
export class TriggersMissing extends ValidationFailed {
  constructor() {
    super(
      'api.webhook.create_outgoing.triggers.app_error',
      'trigger_words',
      'a webhook without a channel needs at least one trigger word.',
    );
  }
}

/**
 * 400: another webhook of the same channel has the same URL and trigger word
 * (docs/contract/outgoing-webhooks.md#duplicates).
 */
export class HookIntersects extends ValidationFailed {
  constructor(action: 'create' | 'update') {
    super(
      `api.webhook.${action}_outgoing.intersect.app_error`,
      'callback_urls',
      'another webhook of this channel has the same URL and the same trigger word.',
    );
  }
}

/** 400: PUT does not take this field; PATCH does (docs/contract/outgoing-webhooks.md#update). */
export class FieldNotAccepted extends ValidationFailed {
  constructor(field: string, command: string) {
    super(
      'api.context.invalid_body_param.app_error',
      field,
      `PUT cannot change it. Send the stored value, leave it out, or use PATCH: ${command}`,
    );
  }
}

/** 409: deliveries to a disabled webhook or URL cannot be sent again. */
export class HookIsDisabled extends AppError {
  readonly id = 'app.webhooks.outgoing_disabled.app_error';
  readonly status = 409;
  constructor() {
    super('The webhook, or this callback URL, is switched off because it failed. Enable the webhook first.');
  }
}

/** 409: the key of the server does not open the secrets of the webhook. */
export class SecretsUnreadable extends AppError {
  readonly id = 'app.webhooks.secrets_unreadable.app_error';
  readonly status = 409;
  constructor() {
    super(
      'The secrets of the webhook cannot be opened with the key of this server. Make new ones with regen_token.',
    );
  }
}

/** 400: the team has as many outgoing webhooks as it may have. */
export class TooManyOutgoingHooksInTeam extends AppError {
  readonly id = 'app.webhooks.outgoing_per_team.app_error';
  readonly status = 400;
  constructor(readonly limit: number) {
    super(`A team may have ${limit} outgoing webhooks at most. Delete some that are not used.`);
  }
}

/** 400: the owner has as many outgoing webhooks in the team as one person may have. */
export class TooManyOutgoingHooksOfUser extends AppError {
  readonly id = 'app.webhooks.outgoing_per_user.app_error';
  readonly status = 400;
  constructor(readonly limit: number) {
    super(`One person may have ${limit} outgoing webhooks in a team at most. Delete some that are not used.`);
  }
}

/** 409: deliveries of a paused webhook cannot be sent again (docs/contract/outgoing-webhooks.md#pausing). */
export class HookIsPaused extends AppError {
  readonly id = 'app.webhooks.outgoing_paused.app_error';
  readonly status = 409;
  constructor(reason: string) {
    super(`The webhook is paused: ${reason}.`);
  }
}
