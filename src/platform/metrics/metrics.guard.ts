import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { RouteNotFound } from '../common/errors/common-errors.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { MetricsSettings } from './metrics.settings.js';

const metricsTokenInvalid = () =>
  new AppError(
    401,
    'app.metrics.token.app_error',
    'The metrics require the token of METRICS_TOKEN in the header Authorization: Bearer.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );

/** Allows scrapes according to METRICS_PORT and METRICS_TOKEN (docs/operating.md#metrics). */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly settings: MetricsSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const { isForMetrics, path, headers } = context.switchToHttp().getRequest<HttpRequest>();
    const { metricsPort, metricsToken } = this.settings;
    if (metricsPort !== undefined && isForMetrics !== true) throw new RouteNotFound(path);
    if (metricsToken !== undefined && !isEqual(bearerOf(headers.authorization), metricsToken))
      throw metricsTokenInvalid();
    return true;
  }
}

function bearerOf(header = ''): string {
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** Compares in constant time, regardless of the lengths. */
function isEqual(given: string, known: string): boolean {
  const [a, b] = [given, known].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
