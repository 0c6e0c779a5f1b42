import { type AboutSettings, type Env, readDurations, readInteger } from '../../platform/config/parse.js';

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
      OUTGOING_CONCURRENCY: 'Maximum concurrent calls',
      OUTGOING_PER_ENDPOINT:
        'Maximum concurrent calls to one endpoint (scheme, host and port). It starts at 2, grows by one with each success and halves with each failure; it exceeds 8 only while half of `OUTGOING_CONCURRENCY` is free. From 8 on, the last two are reserved for webhooks without a running call',
    },
  };

  /** The delay before each attempt, including the first. */
  readonly outgoingScheduleMs: readonly number[];
  readonly outgoingConcurrency: number;
  readonly outgoingPerEndpoint: number;
  readonly retentionDays: number;

  constructor(env: Env) {
    this.outgoingScheduleMs = readDurations(env, 'OUTGOING_SCHEDULE', SCHEDULE, 30 * DAY_MS);
    this.outgoingConcurrency = readInteger(env, 'OUTGOING_CONCURRENCY', 256, 2, 10_000);
    this.outgoingPerEndpoint = readInteger(env, 'OUTGOING_PER_ENDPOINT', 32, 1, 1_000);
    this.retentionDays = readInteger(env, 'RETENTION_DAYS', 30, 1, 3_650);
  }
}
