import { And, type FindOperator, LessThanOrEqual, MoreThan } from 'typeorm';
import type { ExpiryRange } from '../common/expiry.js';

interface Expiring {
  readonly where: Readonly<Record<'expiresAt' | 'expiryReminders', FindOperator<number>>>;
  readonly order: { readonly expiresAt: 'ASC' };
  readonly take: number;
}

/** The options of a find for rows with `expiresAt` and `expiryReminders` that expire within a period, soonest first. */
export function expiring({ after, until, sent }: ExpiryRange, take: number): Expiring {
  const expiresAt = And(MoreThan(after), LessThanOrEqual(until));
  return { where: { expiresAt, expiryReminders: LessThanOrEqual(sent) }, order: { expiresAt: 'ASC' }, take };
}
