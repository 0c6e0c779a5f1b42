import { AppError } from '../../platform/common/errors/app-error.js';

/** The row represents calls that are never made because the subject triggers too many. */
export const MESSAGE_LIMIT = 'message_limit';
/** The subject was deleted together with the body. */
export const POST_DELETED = 'post_deleted';
/** A user has skipped the delivery. */
export const SKIPPED = 'skipped';
/** Reasons for which a delivery can never be resent. */
export const FINAL_REASONS = [MESSAGE_LIMIT, POST_DELETED] as const;

type FinalReason = (typeof FINAL_REASONS)[number];

const WHY: Readonly<Record<FinalReason, string>> = {
  message_limit: 'It represents calls that were skipped because the message triggered too many.',
  post_deleted: 'The message was deleted and is not sent.',
};

/** The delivery is unknown, belongs to another owner, or was deleted by retention. */
export const deliveryNotFound = () => new AppError(404, 'app.deliveries.get.app_error', 'No such delivery.');

/** The call of this delivery is in progress. */
export const deliveryIsInFlight = () =>
  new AppError(
    409,
    'app.deliveries.in_flight.app_error',
    'This delivery is being sent right now. Check again when the call has ended.',
  );

/** Only deliveries that wait for an attempt can be skipped. */
export const deliveryIsSettled = () =>
  new AppError(409, 'app.deliveries.settled.app_error', 'This delivery is not waiting for an attempt.');

/** The delivery was resent by another request or cancelled at the same time. */
export const deliveryHasChanged = () =>
  new AppError(
    409,
    'app.deliveries.changed.app_error',
    'This delivery was resent or cancelled at the same moment. Check it before you resend it.',
  );

/** Too many consumers wait for deliveries at the same time. */
export const tooManyPulls = (what: string) =>
  new AppError(
    429,
    'api.context.rate_limit_exceeded.app_error',
    `${what} already, which is the maximum. Try again when one of them has ended, or do not wait.`,
    { headers: { 'Retry-After': '5' } },
  );

/** The recovery is unknown, belongs to another owner, or was deleted by retention. */
export const recoveryNotFound = () =>
  new AppError(404, 'app.deliveries.recovery.app_error', 'No such recovery.');

/** An owner can have only one running recovery. */
export const recoveryIsRunning = () =>
  new AppError(
    409,
    'app.deliveries.recovery_running.app_error',
    'A recovery is already running. Start another one when it has finished.',
  );

/** The delivery can never be resent. */
export const deliveryIsFinal = (reason: FinalReason) =>
  new AppError(409, `app.deliveries.${reason}.app_error`, WHY[reason]);
