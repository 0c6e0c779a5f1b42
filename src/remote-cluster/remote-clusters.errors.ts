import { AppError } from '../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../platform/common/errors/common-errors.js';

/** 501: ENABLE_REMOTE_CLUSTERS is false. */
export class RemoteClustersDisabled extends FeatureDisabled {
  constructor() {
    super(
      'api.remote_cluster.service_not_enabled.app_error',
      'Secure connections are switched off on this server.',
    );
  }
}

/** 404: the connection is unknown, or deleted where a live one is required. */
export class RemoteClusterNotFound extends NotFound {
  constructor() {
    super('api.remote_cluster.get.not_found', 'No such secure connection.');
  }
}

/** 422: SITE_URL is not set, but a peer needs the address of this server. */
export class SiteUrlMissing extends AppError {
  readonly id = 'api.get_site_url_error';
  readonly status = 422;
  constructor() {
    super('SITE_URL is not set on this server: a peer would not know where to find it.');
  }
}

/** 400: an invite was requested for a connection that is already confirmed. */
export class AlreadyConfirmed extends ValidationFailed {
  constructor() {
    super(
      'api.remote_cluster.generate_invite_cluster_is_confirmed',
      'remote_id',
      'the connection is confirmed; a further server needs a connection of its own.',
    );
  }
}

/** 400: an invite was requested for a connection whose token the key of this server does not open. */
export class InviteTokenUnreadable extends ValidationFailed {
  constructor() {
    super(
      'api.remote_cluster.generate_invite_unreadable.app_error',
      'remote_id',
      'the key of this server does not open its token; delete the connection and make it again.',
    );
  }
}

/** 400: the invite is not URL-safe base64 with padding. */
export class InviteNotBase64 extends ValidationFailed {
  constructor() {
    super(
      'api.remote_cluster.base64_decode_error',
      'invite',
      'it is damaged: an invite is URL-safe base64 with padding, at most 8 KiB long.',
    );
  }
}

/** 400: the password is wrong or the invite is damaged; the two cannot be told apart. */
export class InviteUnreadable extends ValidationFailed {
  constructor() {
    super(
      'api.remote_cluster.invite_decrypt_error',
      'invite',
      'it cannot be opened with this password, or it is damaged.',
    );
  }
}

/** 400: the invite would connect the server to itself, or duplicate a connection. */
export class InviteRefused extends ValidationFailed {
  private constructor(reason: string) {
    super('api.remote_cluster.accept_invitation_error', 'invite', reason);
  }

  static ofThisServer(): InviteRefused {
    return new InviteRefused('it is an invite of this server.');
  }

  static known(): InviteRefused {
    return new InviteRefused('the connection exists here already.');
  }

  static otherServer(): InviteRefused {
    return new InviteRefused('there was a connection with this id to another server.');
  }
}

/** 500: the inviter could not be reached, or refused. The connection is removed here. */
export class AcceptanceFailed extends AppError {
  readonly id = 'api.remote_cluster.accept_invitation_error';
  readonly status = 500;
  constructor(
    reason: string,
    isSpent = false,
    override readonly detail = '',
  ) {
    const advice = isSpent
      ? 'The invite has expired, was used already or was withdrawn: ask for a new one. Nothing was stored.'
      : 'Nothing was stored; it can be tried again.';
    super(`The invitation could not be confirmed: ${reason} ${advice}`);
  }
}

/** 429: too many attempts to open invites. */
export class TooManyInvites extends AppError {
  readonly id = 'api.context.rate_limit_exceeded.app_error';
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  constructor(retryAfterSeconds: number) {
    super('Too many invites in a short time. Try again later.');
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** 400: a check was asked for of a connection that the peer has not confirmed. */
export class NotConfirmed extends ValidationFailed {
  constructor() {
    super(
      'api.remote_cluster.check_not_confirmed.app_error',
      'remote_id',
      'the other server has not confirmed the connection yet.',
    );
  }
}

/** 409: another check or ping of the connection takes long. */
export class CheckIsRunning extends AppError {
  readonly id = 'api.remote_cluster.check_running.app_error';
  readonly status = 409;
  override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': '15' };
  constructor() {
    super('The other server is being pinged already, and has not answered yet. Try again in a moment.');
  }
}

/** 429: too many checks of a connection. */
export class TooManyChecks extends AppError {
  readonly id = 'api.context.rate_limit_exceeded.app_error';
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  constructor(retryAfterSeconds: number) {
    super('This connection was checked often just now. Try again in a minute.');
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** 503: the message cannot be checked until this server has reached the peer. The peer sends it again. */
export class PeerNotReached extends AppError {
  readonly id = 'api.remote_cluster.peer_not_reached.app_error';
  readonly status = 503;
  override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': '5' };
  constructor() {
    super('This server has not reached its peer yet. Send it again.');
  }
}

/** 401: unknown connection or wrong token. */
export class PeerTokenInvalid extends AppError {
  readonly id = 'api.context.invalid_token.error';
  readonly status = 401;
  constructor() {
    super('Invalid connection id or token.');
  }
}

/** 401: the id of the connection is missing. */
export class PeerIdMissing extends AppError {
  readonly id = 'api.context.remote_id_missing.app_error';
  readonly status = 401;
  constructor() {
    super('The header X-RemoteCluster-Id is missing.');
  }
}

/** 400: the body is not a valid frame, or does not match the headers. */
export class FrameRefused extends AppError {
  readonly status = 400;
  constructor(
    readonly id: string,
    message: string,
  ) {
    super(message);
  }

  static notJson(): FrameRefused {
    return new FrameRefused('api.unmarshal_error', 'Invalid frame: it is not a JSON object.');
  }

  static invalidId(field: 'remote_id' | 'msg.id'): FrameRefused {
    return new FrameRefused(
      'api.remote_cluster.invalid_id.app_error',
      `Invalid ${field}: it must be 26 letters and digits.`,
    );
  }

  static invalidTopic(): FrameRefused {
    return new FrameRefused(
      'api.remote_cluster.invalid_topic.app_error',
      'Invalid msg.topic: it must be a text of 1 to 128 characters.',
    );
  }

  static otherConnection(field: string): FrameRefused {
    return new FrameRefused(
      'api.context.remote_id_invalid.app_error',
      `Invalid ${field}: it is not the connection that the headers name.`,
    );
  }
}

/** 400: the confirmation is too late or invalid. Nothing was changed. */
export class ConfirmationRefused extends AppError {
  readonly status = 400;
  constructor(
    readonly id: string,
    message: string,
  ) {
    super(message);
  }

  static expired(): ConfirmationRefused {
    return new ConfirmationRefused('api.context.invitation_expired.error', 'The invitation has expired.');
  }

  static notPending(): ConfirmationRefused {
    return new ConfirmationRefused(
      'api.command_remote.confirm_invitation.error',
      'The invitation was confirmed already.',
    );
  }

  static refreshedToken(): ConfirmationRefused {
    return new ConfirmationRefused(
      'api.command_remote.confirm_invitation.error',
      'Invalid refreshed_token: it must be a new id of 26 letters and digits, not the token of the invite.',
    );
  }
}
