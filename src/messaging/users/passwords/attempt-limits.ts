import { Injectable } from '@nestjs/common';
import type { Allowance } from '../../../platform/scaling/event-counts.js';

const MINUTE_MS = 60_000;

/**
 * How often a password may be wrong, and how many may sign up. Many people can share an address, so what counts for an
 * address alone is generous. The limits are fields of a provider so that tests can lower them.
 */
@Injectable()
export class AttemptLimits {
  /** Wrong passwords for one name from one address. */
  perNameAndAddress: Allowance = { max: 10, windowMs: 10 * MINUTE_MS };
  /** Wrong passwords from one address, for all names. */
  perAddress: Allowance = { max: 100, windowMs: 5 * MINUTE_MS };
  /** Wrong passwords for one name, from all addresses from which its user has not signed in before. */
  perName: Allowance = { max: 100, windowMs: 60 * MINUTE_MS };
  /** Sign-ups from one address, whatever comes of them. */
  signUpsPerAddress: Allowance = { max: 500, windowMs: 60 * MINUTE_MS };
  /** Names and e-mail addresses of others that one person asks for. */
  takenNames: Allowance = { max: 10, windowMs: 60 * MINUTE_MS };
}
