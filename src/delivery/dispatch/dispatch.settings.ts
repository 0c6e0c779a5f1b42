import { Injectable } from '@nestjs/common';
import {
  type AboutSettings,
  type Env,
  readDuration,
  readDurations,
  readInteger,
} from '../../platform/config/parse.js';
import { CIRCUIT_LIMITS } from './call-limits.js';

const DAY_MS = 86_400_000;
const SCHEDULE = '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** When deliveries are attempted, and how many at once. Throws SettingError, naming the variable. */
export class DispatchSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Data: {
      RETENTION_DAYS: 'How long finished deliveries are kept',
    },
    'Outgoing calls': {
      OUTGOING_SCHEDULE: 'The delay before each attempt',
      OUTGOING_PULL_EXPIRY: 'A delivery fails if nobody pulls it within this time',
      OUTGOING_CONCURRENCY: 'Maximum concurrent calls',
      OUTGOING_PER_ENDPOINT:
        'Maximum concurrent calls to one endpoint (scheme, host and port). It starts at 2, grows by one with each success and halves with each failure; it exceeds 8 only while half of `OUTGOING_CONCURRENCY` is free. From 8 on, the last two are reserved for webhooks without a running call',
    },
  };

  /** The delay before each attempt, including the first. */
  readonly outgoingScheduleMs: readonly number[];
  readonly outgoingPullExpiryMs: number;
  readonly outgoingConcurrency: number;
  readonly outgoingPerEndpoint: number;
  readonly retentionDays: number;

  constructor(env: Env) {
    this.outgoingScheduleMs = readDurations(env, 'OUTGOING_SCHEDULE', SCHEDULE, 30 * DAY_MS);
    this.outgoingPullExpiryMs = readDuration(env, 'OUTGOING_PULL_EXPIRY', '7d', 60_000, 365 * DAY_MS);
    this.outgoingConcurrency = readInteger(env, 'OUTGOING_CONCURRENCY', 256, 2, 10_000);
    this.outgoingPerEndpoint = readInteger(env, 'OUTGOING_PER_ENDPOINT', 32, 1, 1_000);
    this.retentionDays = readInteger(env, 'RETENTION_DAYS', 30, 1, 3_650);
  }
}

/** Limits on what the dispatcher keeps in memory. Injectable so that tests can change them. */
@Injectable()
export class DispatchLimits {
  /** Total number of jobs in memory. */
  maxJobs = 20_000;
  maxJobBytes = 64 * 1024 * 1024;
  /** Number of jobs of one flow in memory; shrinks as memory fills up. */
  jobsPerFlow = { plenty: 1_000, scarce: 50, none: 2 };
  /** Number of rows read by one query. */
  readSize = 200;
  maxReadsAtOnce = 4;
  circuit = CIRCUIT_LIMITS;
  /** An endpoint that has not been called for this long is treated as new. */
  forgetLaneAfterMs = 10 * 60_000;
  /** Above this number, lanes whose next call is far off are forgotten. */
  maxRestingLanes = 10_000;
  /** Maximum number of lanes per process, where several processes share a database. */
  maxLanes = 1_000;
}
