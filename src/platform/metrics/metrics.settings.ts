import { type AboutSettings, type Env, readInteger, readText, SettingError } from '../config/parse.js';

const MIN_TOKEN_LENGTH = 16;
const TOKEN = /^[\x21-\x7e]+$/;

/** Settings for access to the metrics. Throws SettingError, naming the variable. */
export class MetricsSettings {
  static readonly about: AboutSettings = {
    Server: {
      METRICS_TOKEN:
        'Token of at least 16 characters that scrapes of `/metrics` must send as `Authorization: Bearer`',
      METRICS_PORT: 'Serve `/metrics` only on this port of `HOST`; `0` serves it on `PORT`',
    },
  };

  readonly metricsToken: string | undefined;
  /** The only port that serves the metrics; undefined means the API port. */
  readonly metricsPort: number | undefined;

  constructor(env: Env) {
    this.metricsToken = readText(env, 'METRICS_TOKEN', '') || undefined;
    if (
      this.metricsToken !== undefined &&
      (this.metricsToken.length < MIN_TOKEN_LENGTH || !TOKEN.test(this.metricsToken))
    ) {
      throw new SettingError(
        `METRICS_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters, without spaces and special characters.`,
      );
    }
    this.metricsPort = readInteger(env, 'METRICS_PORT', 0, 0, 65_535) || undefined;
  }
}
