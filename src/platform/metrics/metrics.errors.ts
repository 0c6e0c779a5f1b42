import { AppError } from '../common/errors/app-error.js';

/** 401: METRICS_TOKEN is set, and the request does not show it. */
export class MetricsTokenInvalid extends AppError {
  readonly id = 'app.metrics.token.app_error';
  readonly status = 401;
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
  constructor() {
    super('The metrics need the token of METRICS_TOKEN in the header Authorization: Bearer.');
  }
}
