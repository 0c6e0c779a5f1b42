import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { AUDITED, type AuditMetadata } from '../common/audited.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { isId } from '../common/ids.js';
import { AuditService, secretHash } from './audit.service.js';

/** Request with what the audit log needs when the call fails later. */
export interface AuditedRequest extends HttpRequest {
  actor?: { readonly userId: string };
  audit?: AuditMetadata;
}

/** Global: writes the audit row of an audited route that succeeded. Refusals are written by the error filter. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const metadata = this.reflector.get<AuditMetadata | undefined>(AUDITED, context.getHandler());
    if (!metadata) return next.handle();
    const request = context.switchToHttp().getRequest<AuditedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      mergeMap(async (answer) => {
        await recordAudit(this.audit, request, metadata, response.statusCode, '', answer);
        return answer;
      }),
    );
  }
}

export async function recordAudit(
  audit: AuditService,
  request: AuditedRequest,
  metadata: AuditMetadata,
  status: number,
  errorId: string,
  answer?: unknown,
): Promise<void> {
  const named = metadata.target === undefined ? idOf(answer) : targetOf(request, metadata.target);
  await audit.record({
    userId: request.actor?.userId ?? '',
    action: metadata.action,
    target: metadata.isSecret && named !== '' ? secretHash(named) : named,
    status,
    errorId,
    requestId: request.requestId,
    address: request.isLocal ? 'local' : (request.ip ?? ''),
  });
}

function idOf(answer: unknown): string {
  const id: unknown =
    typeof answer === 'object' && answer !== null ? (answer as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : '';
}

function targetOf(request: AuditedRequest, target: string): string {
  return target
    .split('/')
    .map((name) => {
      const value = request.params[name] ?? bodyField(request.body, name);
      return value === 'me' ? (request.actor?.userId ?? '') : value;
    })
    .filter((part) => part !== '')
    .join('/');
}

function bodyField(body: Buffer, name: string): string {
  try {
    const value = (JSON.parse(body.toString('utf8')) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' && isId(value) ? value : '';
  } catch {
    return ''; // the call itself is answered 400
  }
}
