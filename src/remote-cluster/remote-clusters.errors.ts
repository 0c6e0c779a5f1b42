import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

export const remoteClustersDisabled = () =>
  new AppError(
    501,
    'api.remote_cluster.service_not_enabled.app_error',
    'Secure connections are disabled on this server.',
  );

/** 404: the connection is unknown, or deleted where a live one is required. */
export class RemoteClusterNotFound extends AppError {
  constructor() {
    super(404, 'api.remote_cluster.get.not_found', 'No such secure connection.');
  }
}

/** SITE_URL is not set, but a peer needs the address of this server. */
export const siteUrlMissing = () =>
  new AppError(
    422,
    'api.get_site_url_error',
    'SITE_URL is not set on this server, so a peer could not reach it.',
  );

export const alreadyConfirmed = () =>
  new ValidationFailed(
    'api.remote_cluster.generate_invite_cluster_is_confirmed',
    'remote_id',
    'the connection is already confirmed; create a new one for another server.',
  );

/** An invite was requested for a connection whose token this server's key cannot decrypt. */
export const inviteTokenUnreadable = () =>
  new ValidationFailed(
    'api.remote_cluster.generate_invite_unreadable.app_error',
    'remote_id',
    'the key of this server cannot decrypt its token; delete the connection and create it again.',
  );

/** The invite is not URL-safe base64 with padding. */
export const inviteNotBase64 = () =>
  new ValidationFailed(
    'api.remote_cluster.base64_decode_error',
    'invite',
    'it is damaged: an invite is URL-safe base64 with padding, at most 8 KiB long.',
  );

/** The password is wrong or the invite is damaged; the two are indistinguishable. */
export const inviteUnreadable = () =>
  new ValidationFailed(
    'api.remote_cluster.invite_decrypt_error',
    'invite',
    'it cannot be decrypted with this password, or it is damaged.',
  );

/** The invite would connect the server to itself, or duplicate a connection. */
const inviteRefused = (reason: string) =>
  new ValidationFailed('api.remote_cluster.accept_invitation_error', 'invite', reason);

export const inviteOfThisServer = () => inviteRefused('it is an invite of this server.');
export const inviteKnown = () => inviteRefused('the connection already exists here.');
export const inviteOfOtherServer = () =>
  inviteRefused('there was a connection with this id to another server.');

/** The inviter could not be reached, or refused. The connection is removed here. */
export const acceptanceFailed = (reason: string, isSpent = false, detail = '') => {
  const advice = isSpent
    ? 'The invite has expired, was already used or was withdrawn: ask for a new one. Nothing was stored.'
    : 'Nothing was stored; it can be tried again.';
  return new AppError(
    500,
    'api.remote_cluster.accept_invitation_error',
    `The invitation could not be confirmed: ${reason} ${advice}`,
    { detail },
  );
};

export const tooManyInvites = (retryAfterSeconds: number) =>
  new AppError(
    429,
    'api.context.rate_limit_exceeded.app_error',
    'Too many invites in a short time. Try again later.',
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );

export const notConfirmed = () =>
  new ValidationFailed(
    'api.remote_cluster.check_not_confirmed.app_error',
    'remote_id',
    'the other server has not confirmed the connection yet.',
  );

export const checkIsRunning = () =>
  new AppError(
    409,
    'api.remote_cluster.check_running.app_error',
    'The other server is already being pinged and has not responded yet. Try again in a moment.',
    { headers: { 'Retry-After': '15' } },
  );

export const tooManyChecks = (retryAfterSeconds: number) =>
  new AppError(
    429,
    'api.context.rate_limit_exceeded.app_error',
    'This connection was checked too often. Try again in a minute.',
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );

/** The message cannot be checked until this server has reached the peer. The peer will resend it. */
export const peerNotReached = () =>
  new AppError(
    503,
    'api.remote_cluster.peer_not_reached.app_error',
    'This server has not reached its peer yet. Send it again.',
    { headers: { 'Retry-After': '5' } },
  );

export const peerTokenInvalid = () =>
  new AppError(401, 'api.context.invalid_token.error', 'Invalid connection id or token.');

export const peerIdMissing = () =>
  new AppError(401, 'api.context.remote_id_missing.app_error', 'The header X-RemoteCluster-Id is missing.');

export const frameNotJson = () =>
  new AppError(400, 'api.unmarshal_error', 'Invalid frame: it is not a JSON object.');

export const frameIdInvalid = (field: 'remote_id' | 'msg.id') =>
  new AppError(
    400,
    'api.remote_cluster.invalid_id.app_error',
    `Invalid ${field}: it must be 26 letters and digits.`,
  );

export const frameTopicInvalid = () =>
  new AppError(
    400,
    'api.remote_cluster.invalid_topic.app_error',
    'Invalid msg.topic: it must be a string of 1 to 128 characters.',
  );

export const frameOfOtherConnection = (field: string) =>
  new AppError(
    400,
    'api.context.remote_id_invalid.app_error',
    `Invalid ${field}: it is not the connection in the headers.`,
  );

/** The confirmation is too late. Nothing was changed. */
export const confirmationExpired = () =>
  new AppError(400, 'api.context.invitation_expired.error', 'The invitation has expired.');

export const confirmationNotPending = () =>
  new AppError(400, 'api.command_remote.confirm_invitation.error', 'The invitation was already confirmed.');

export const refreshedTokenInvalid = () =>
  new AppError(
    400,
    'api.command_remote.confirm_invitation.error',
    'Invalid refreshed_token: it must be a new id of 26 letters and digits, not the token of the invite.',
  );
