import { AppError } from '../common/errors/app-error.js';

/** METRICS_TOKEN is set, and the request does not show it. */
export const metricsTokenInvalid = () =>
  new AppError(
    401,
    'app.metrics.token.app_error',
    'The metrics need the token of METRICS_TOKEN in the header Authorization: Bearer.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
