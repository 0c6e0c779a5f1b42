import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { AUDITED, type AuditMetadata, type ManyRecords } from '../common/audited.js';
import { AuditInterceptor } from './audit.interceptor.js';

/**
 * Marks an administrative route: each request gets an audit row, even a refused one if its caller is known.
 * Without `target`, the target is the `id` in the response. Other routes have no interceptor, which would
 * cost as much as the guards.
 */
export const Audited = (
  action: string,
  target?: string,
  options: { isSecret?: boolean; keep?: readonly string[]; many?: ManyRecords; isLate?: boolean } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(AUDITED, {
      action,
      target,
      isSecret: options.isSecret ?? false,
      keep: options.keep ?? [],
      many: options.many,
      isLate: options.isLate ?? false,
    } satisfies AuditMetadata),
    UseInterceptors(AuditInterceptor),
  );
