import { AppError } from '../../platform/common/errors/app-error.js';
import type { FINAL_REASONS } from './final-reasons.js';

type FinalReason = (typeof FINAL_REASONS)[number];

const WHY: Readonly<Record<FinalReason, string>> = {
  message_limit: 'It stands for calls that were left out because the message triggered too many.',
  post_deleted: 'The message was deleted, and is not sent any more.',
};

/** The delivery is unknown, belongs to another owner, or was deleted by retention. */
export const deliveryNotFound = () => new AppError(404, 'app.deliveries.get.app_error', 'No such delivery.');

/** The call of this delivery is in progress. */
export const deliveryIsInFlight = () =>
  new AppError(
    409,
    'app.deliveries.in_flight.app_error',
    'This delivery is being sent right now. Look again when that call is over.',
  );

/** The delivery was resent by another request or cancelled at the same time. */
export const deliveryHasChanged = () =>
  new AppError(
    409,
    'app.deliveries.changed.app_error',
    'This delivery was sent again, or cancelled, at the same moment. Look at it before you send it again.',
  );

/** The recovery is unknown, belongs to another owner, or was deleted by retention. */
export const recoveryNotFound = () =>
  new AppError(404, 'app.deliveries.recovery.app_error', 'No such recovery.');

/** An owner can have only one running recovery. */
export const recoveryIsRunning = () =>
  new AppError(
    409,
    'app.deliveries.recovery_running.app_error',
    'A recovery is going on already. Order another one when it has finished.',
  );

/** The delivery can never be resent. */
export const deliveryIsFinal = (reason: FinalReason) =>
  new AppError(409, `app.deliveries.${reason}.app_error`, WHY[reason]);
