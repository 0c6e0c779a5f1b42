import { AppError } from '../../platform/common/errors/app-error.js';
import { NotFound } from '../../platform/common/errors/common-errors.js';

/** 404: unknown, of another owner, or deleted by retention. */
export class DeliveryNotFound extends NotFound {
  constructor() {
    super('app.deliveries.get.app_error', 'No such delivery.');
  }
}

/** 409: its call is being made; what comes of it is not known yet. */
export class DeliveryIsInFlight extends AppError {
  readonly id = 'app.deliveries.in_flight.app_error';
  readonly status = 409;
  constructor() {
    super('This delivery is being sent right now. Look again when that call is over.');
  }
}

/** 409: one order to send again what was missed is worked off at a time. */
export class RecoveryIsRunning extends AppError {
  readonly id = 'app.deliveries.recovery_running.app_error';
  readonly status = 409;
  constructor() {
    super('A recovery is going on already. Order another one when it has finished.');
  }
}
