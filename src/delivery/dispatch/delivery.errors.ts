import { AppError } from '../../platform/common/errors/app-error.js';
import { NotFound } from '../../platform/common/errors/common-errors.js';
import type { FINAL_REASONS } from './final-reasons.js';

type FinalReason = (typeof FINAL_REASONS)[number];

const WHY: Readonly<Record<FinalReason, string>> = {
  message_limit: 'It stands for calls that were left out because the message triggered too many.',
  post_deleted: 'The message was deleted, and is not sent any more.',
};

/** 404: unknown, of another owner, or deleted by retention. */
export class DeliveryNotFound extends NotFound {
  constructor() {
    super('app.deliveries.get.app_error', 'No such delivery.');
  }
}

/** 409: the call of this delivery is in progress. */
export class DeliveryIsInFlight extends AppError {
  readonly id = 'app.deliveries.in_flight.app_error';
  readonly status = 409;
  constructor() {
    super('This delivery is being sent right now. Look again when that call is over.');
  }
}

/** 409: somebody else had this delivery sent again at the same time, or it was settled otherwise meanwhile. */
export class DeliveryHasChanged extends AppError {
  readonly id = 'app.deliveries.changed.app_error';
  readonly status = 409;
  constructor() {
    super(
      'This delivery was sent again, or settled, at the same moment. Look at it before you send it again.',
    );
  }
}

/** 404: unknown, of another owner, or deleted by retention. */
export class RecoveryNotFound extends NotFound {
  constructor() {
    super('app.deliveries.recovery.app_error', 'No such recovery.');
  }
}

/** 409: only one recovery of an owner can run at a time. */
export class RecoveryIsRunning extends AppError {
  readonly id = 'app.deliveries.recovery_running.app_error';
  readonly status = 409;
  constructor() {
    super('A recovery is going on already. Order another one when it has finished.');
  }
}

/** 409: this delivery is never sent again. */
export class DeliveryIsFinal extends AppError {
  readonly id: string;
  readonly status = 409;
  constructor(reason: FinalReason) {
    super(WHY[reason]);
    this.id = `app.deliveries.${reason}.app_error`;
  }
}
