import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AUDITED, type AuditMetadata, type ManyRecords } from '../common/audited.js';
import { receivedFor } from '../common/dto/unknown-fields.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { isId } from '../common/ids.js';
import { sliceRunes } from '../common/utf8.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type AuditEntry, AuditService, secretHash } from './audit.service.js';
import { AuditedChange, type Subject } from './audited-change.js';

/** The valid parts of a target: ids, and names such as topic names. */
const WORD = /^[\w.-]{1,64}$/;
const MAX_KEPT_RUNES = 120;
const MAX_PARAMETERS = 1_000;
const MAX_LISTED = 100;

/** A request with the data that the audit log needs if it fails later. */
export interface AuditedRequest extends HttpRequest {
  actor?: { readonly userId: string };
  peer?: { readonly id: string };
  audit?: AuditMetadata;
}

/** Writes the audit row of each successful request to an audited route, with its first change or afterwards. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const metadata = this.reflector.get<AuditMetadata | undefined>(AUDITED, context.getHandler());
    return metadata ? from(this.audited(metadata, context, next)) : next.handle();
  }

  private async audited(
    metadata: AuditMetadata,
    context: ExecutionContext,
    next: CallHandler<unknown>,
  ): Promise<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuditedRequest>();
    const response = http.getResponse<Response>();
    const change = new AuditedChange((subject) =>
      isComplete(request, metadata, subject)
        ? this.audit.statements(entryOf(request, metadata, response.statusCode, '', subject))
        : [],
    );
    const answer = await this.unitOfWork.runWith(change, () => lastValueFrom(next.handle()));
    if (!change.isStored) {
      const subject = change.subject ?? { id: idOf(answer), record: asObject(answer) };
      await this.audit.record(entryOf(request, metadata, response.statusCode, '', subject));
    }
    return answer;
  }
}

/** Writes the audit row of a refused request of a known caller; anyone else could cause any number of writes. */
export async function recordRefusal(
  audit: AuditService,
  request: AuditedRequest,
  status: number,
  errorId: string,
): Promise<void> {
  const caller = callerOf(request);
  if (!request.audit || caller === undefined) return;
  const entry = entryOf(request, request.audit, status, errorId);
  if (status < 500) await audit.recordRefusal(caller, entry);
  else await audit.record(entry);
}

function callerOf({ isLocal, actor, peer }: AuditedRequest): string | undefined {
  if (isLocal) return 'local';
  return actor?.userId ? `user ${actor.userId}` : peer && `peer ${peer.id}`;
}

function entryOf(
  request: AuditedRequest,
  metadata: AuditMetadata,
  status: number,
  errorId: string,
  subject?: Subject,
): AuditEntry {
  const body = receivedFor(request.body);
  const many = metadata.many && listedIn(body, metadata.many);
  const target =
    metadata.target === undefined
      ? (subject?.id ?? '')
      : targetOf(request, many ? undefined : body, metadata.target);
  return {
    userId: request.actor?.userId ?? '',
    // A dry run changes nothing, and must not look as if it had.
    action: fieldOf(body, 'dry_run') === true ? `${metadata.action}_dry_run` : metadata.action,
    target: metadata.isSecret && target !== '' ? secretHash(target) : target,
    status,
    errorId,
    requestId: request.requestId,
    address: request.isLocal ? 'local' : (request.ip ?? ''),
    parameters: recordedValues(metadata.keep, subject?.record, body, subject?.prior),
    affected: many ? JSON.stringify(many) : '',
  };
}

/** Whether all values of the row are known before the response. */
function isComplete(request: AuditedRequest, metadata: AuditMetadata, subject: Subject | undefined): boolean {
  if (subject) return true;
  if (metadata.isLate || metadata.target === undefined) return false;
  if (metadata.keep.length === 0) return true;
  const body = receivedFor(request.body);
  return metadata.keep.every((name) => fieldOf(body, name) !== undefined);
}

function idOf(answer: unknown): string {
  const id = ['id', 'remote_id', 'remote_cluster.remote_id', 'user_id']
    .map((path) => fieldOf(answer, path))
    .find(isId);
  return id ?? '';
}

function targetOf(request: AuditedRequest, body: unknown, names: string): string {
  return names
    .split('/')
    .map((name) => {
      const value = request.params[name] ?? fieldOf(body, name);
      return value === 'me' ? (request.actor?.userId ?? '') : value;
    })
    .filter((part) => typeof part === 'string' && WORD.test(part))
    .join('/');
}

/** Only numbers and strings, shortened until all fit, so that no value can hide another. */
export function recordedValues(
  names: readonly string[],
  answer: unknown,
  body: unknown,
  prior: unknown,
): string {
  if (names.length === 0) return '';
  const values = names.flatMap((name) => [
    [name, fieldOf(answer, name) ?? fieldOf(body, name)] as const,
    [`prior.${name}`, fieldOf(prior, name)] as const,
  ]);
  for (let runes = MAX_KEPT_RUNES; ; runes = Math.floor(runes / 2)) {
    const text = JSON.stringify(
      Object.fromEntries(values.map(([name, value]) => [name, shortened(value, runes)])),
    );
    if (text.length <= MAX_PARAMETERS || runes === 0) return text.slice(0, MAX_PARAMETERS);
  }
}

function shortened(value: unknown, runes: number): string | number | undefined {
  if (typeof value === 'string') return sliceRunes(value, 0, runes);
  return typeof value === 'number' ? value : undefined;
}

/** The first ids listed in a body, and the number of distinct ones; undefined without a list. */
function listedIn(body: unknown, { name, field }: ManyRecords): object | undefined {
  const listed = Array.isArray(body)
    ? body.map((item: unknown) => fieldOf(item, field))
    : fieldOf(body, field);
  if (!Array.isArray(listed)) return undefined;
  const all = [...new Set<unknown>(listed)];
  return { [name]: all.filter(isId).slice(0, MAX_LISTED), total: all.length };
}

function fieldOf(object: unknown, path: string): unknown {
  let value = object;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function asObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}
