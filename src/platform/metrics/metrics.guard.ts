import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteNotFound } from '../common/errors/common-errors.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { metricsTokenInvalid } from './metrics.errors.js';
import { MetricsSettings } from './metrics.settings.js';

/** Lets scrapes in where METRICS_PORT and METRICS_TOKEN say (docs/operating.md#metrics). */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly settings: MetricsSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const { isForMetrics, path, headers } = context.switchToHttp().getRequest<HttpRequest>();
    const { metricsPort, metricsToken } = this.settings;
    if (metricsPort !== undefined && isForMetrics !== true) throw new RouteNotFound(path);
    if (metricsToken !== undefined && !isSame(bearerOf(headers.authorization), metricsToken))
      throw metricsTokenInvalid();
    return true;
  }
}

function bearerOf(header = ''): string {
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** In constant time, whatever the lengths. */
function isSame(shown: string, known: string): boolean {
  const [a, b] = [shown, known].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
