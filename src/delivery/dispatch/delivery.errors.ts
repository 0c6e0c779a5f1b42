import { AppError } from '../../platform/common/errors/app-error.js';
import { NotFound } from '../../platform/common/errors/common-errors.js';

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

/** 409: only one recovery of an owner can run at a time. */
export class RecoveryIsRunning extends AppError {
  readonly id = 'app.deliveries.recovery_running.app_error';
  readonly status = 409;
  constructor() {
    super('A recovery is going on already. Order another one when it has finished.');
  }
}
