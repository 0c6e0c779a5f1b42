import { type AboutSettings, type Env, readDuration, readText } from '../config/parse.js';

const DAY_MS = 86_400_000;

/** How long the audit log is kept. Throws SettingError, naming the variable. */
export class AuditSettings {
  static readonly about: AboutSettings = {
    Data: {
      AUDIT_RETENTION: 'How long audit rows are kept; `0` keeps them forever',
    },
  };

  /** 0 means forever. */
  readonly auditRetentionMs: number;

  constructor(env: Env) {
    const isUnlimited = readText(env, 'AUDIT_RETENTION', '') === '0';
    this.auditRetentionMs = isUnlimited
      ? 0
      : readDuration(env, 'AUDIT_RETENTION', '365d', 0, 36_500 * DAY_MS);
  }
}
