import { NotFound } from '../common/errors/common-errors.js';

/** 404: unknown, of another owner, or deleted by retention. */
export class DeliveryNotFound extends NotFound {
  constructor() {
    super('app.deliveries.get.app_error', 'No such delivery.');
  }
}

/** 404: unknown, or of another owner. */
export class RecoveryNotFound extends NotFound {
  constructor() {
    super('app.deliveries.get_recovery.app_error', 'No such recovery.');
  }
}
