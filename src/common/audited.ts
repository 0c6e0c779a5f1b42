import { SetMetadata } from '@nestjs/common';

/** What an audited route is called in the audit log, and the path parameter that names its target. */
export interface AuditMetadata {
  readonly action: string;
  readonly targetParam: string | undefined;
  /** The target is a secret; only a short hash of it is kept. */
  readonly isSecret: boolean;
}

export const AUDITED = 'hookline:audited';

/**
 * Marks an administrative mutation: one audit row for each call, also for refused ones. Without `targetParam` the
 * target is the `id` of the answer.
 */
export const Audited = (
  action: string,
  targetParam?: string,
  options: { isSecret?: boolean } = {},
): MethodDecorator =>
  SetMetadata(AUDITED, { action, targetParam, isSecret: options.isSecret ?? false } satisfies AuditMetadata);
