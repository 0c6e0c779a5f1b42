import { SetMetadata } from '@nestjs/common';

/** What an audited route is called in the audit log, and what names its target. */
export interface AuditMetadata {
  readonly action: string;
  /** Names of path parameters or fields of the body, separated by `/`; undefined means the `id` of the answer. */
  readonly target: string | undefined;
  /** The target is a secret; only a short hash of it is kept. */
  readonly isSecret: boolean;
  /** Fields of the answer, or else of the body, that are kept with the row; dots reach into objects. */
  readonly keep: readonly string[];
}

export const AUDITED = 'hookline:audited';

/**
 * Marks an administrative mutation: one audit row for each call, also for refused ones of known callers. Without
 * `target` the target is the `id` of the answer.
 */
export const Audited = (
  action: string,
  target?: string,
  options: { isSecret?: boolean; keep?: readonly string[] } = {},
): MethodDecorator =>
  SetMetadata(AUDITED, {
    action,
    target,
    isSecret: options.isSecret ?? false,
    keep: options.keep ?? [],
  } satisfies AuditMetadata);
