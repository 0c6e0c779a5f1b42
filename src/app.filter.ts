import { types } from 'node:util';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  Logger,
} from '@nestjs/common';
import type { Response } from 'express';
import { RefusedCalls } from './incoming-hooks/execution/refused-calls.js';
import { type AuditedRequest, recordRefusal } from './platform/audit/audit.interceptor.js';
import { AuditService } from './platform/audit/audit.service.js';
import { AppError } from './platform/common/errors/app-error.js';
import {
  badRequest,
  DatabaseUnavailable,
  internalError,
  RouteNotFound,
} from './platform/common/errors/common-errors.js';
import { writeError, writeNotFound } from './platform/common/http/responses.js';
import { Settings } from './platform/config/settings.js';
import { isDatabaseUnavailable } from './platform/database/database-errors.js';

const OUTAGE_LOG_INTERVAL_MS = 60_000;

/** Sends every error in the shape of the contract. Logs unexpected errors and sends a neutral 500. */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');
  private lastOutageLog = -Infinity;

  constructor(
    private readonly settings: Settings,
    private readonly audit: AuditService,
    private readonly refusedCalls: RefusedCalls,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    return this.render(exception, http.getRequest<AuditedRequest>(), http.getResponse<Response>());
  }

  async render(exception: unknown, request: AuditedRequest, response: Response): Promise<void> {
    const error = this.toAppError(exception, request);
    await this.refusedCalls.note(request, error);
    await recordRefusal(this.audit, request, error.status, error.id);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { developerMode } = this.settings;
    if (error instanceof RouteNotFound)
      writeNotFound(response, pathOf(request), request.requestId, developerMode);
    else writeError(response, error, request.requestId, developerMode);
  }

  private toAppError(exception: unknown, request: AuditedRequest): AppError {
    if (isDatabaseUnavailable(exception)) {
      const outage =
        exception instanceof DatabaseUnavailable ? exception : new DatabaseUnavailable(exception);
      this.logOutage(outage);
      return outage;
    }
    if (exception instanceof RouteNotFound) return new RouteNotFound(pathOf(request));
    if (exception instanceof AppError) return exception;
    if (exception instanceof HttpException && exception.getStatus() === 404)
      return new RouteNotFound(pathOf(request));
    if (exception instanceof URIError || isUndecodable(exception)) return badRequest('The URL is malformed.');
    if (exception instanceof HttpException && exception.getStatus() < 500)
      return badRequest(exception.message);
    const { message, stack } = types.isNativeError(exception)
      ? exception
      : { message: 'not an Error', stack: undefined };
    this.logger.error(`Request ${request.requestId} failed: ${message}`, stack);
    return internalError();
  }

  private logOutage(error: DatabaseUnavailable): void {
    const now = performance.now();
    if (now - this.lastOutageLog < OUTAGE_LOG_INTERVAL_MS) return;
    this.lastOutageLog = now;
    const reason = types.isNativeError(error.cause) ? error.cause.message : 'no connection';
    this.logger.error(`The database is not available: ${reason}. Calls return 503 until it is back.`);
  }
}

/** The full path: below a mounted router, `request.path` lacks the mount path. */
function pathOf(request: AuditedRequest): string {
  return request.originalUrl.split('?', 1)[0] ?? '';
}

/** Express's error for a path parameter with invalid percent-encoding. */
function isUndecodable(exception: unknown): boolean {
  return exception instanceof HttpException && exception.message.startsWith('Failed to decode param');
}
