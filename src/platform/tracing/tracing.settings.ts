import {
  type AboutSettings,
  type Env,
  readBoolean,
  readChoice,
  readText,
  readUrl,
  SettingError,
} from '../config/parse.js';

const SCHEMES = ['http://', 'https://'];
const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Whether traces are sent, and where. The SDK of OpenTelemetry reads its other variables itself. */
export class TracingSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Traces: {
      OTEL_EXPORTER_OTLP_ENDPOINT:
        'Address of a collector, such as `http://localhost:4318`, to which traces are sent as OTLP over HTTP; without it there are none',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
        'The same with its path, such as `http://localhost:4318/v1/traces`; it wins',
      OTEL_SDK_DISABLED: 'Sends no traces, whatever else is set',
      OTEL_SERVICE_NAME: 'The name of this service in the traces',
      OTEL_TRACES_SAMPLER: 'Which traces are sent',
      OTEL_TRACES_SAMPLER_ARG: 'Of the samplers by ratio, the share of all traces, from 0 to 1',
      OUTGOING_TRACEPARENT:
        'Calls carry `traceparent`, and that of received ones is continued, if there are traces; else neither',
    },
  };

  /** Where traces are sent; undefined means that there are none. */
  readonly tracesUrl: string | undefined;
  readonly serviceName: string;
  readonly outgoingTraceparent: boolean;

  constructor(env: Env) {
    const endpoint = readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', undefined, SCHEMES);
    const ofTraces = readUrl(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', undefined, SCHEMES);
    const isDisabled = readBoolean(env, 'OTEL_SDK_DISABLED', false);
    this.tracesUrl = isDisabled ? undefined : (ofTraces ?? (endpoint && `${endpoint}/v1/traces`));
    this.serviceName = readText(env, 'OTEL_SERVICE_NAME', 'hookline') || 'hookline';
    readChoice(env, 'OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS);
    requireRatio('OTEL_TRACES_SAMPLER_ARG', readText(env, 'OTEL_TRACES_SAMPLER_ARG', '1'));
    this.outgoingTraceparent = readBoolean(env, 'OUTGOING_TRACEPARENT', false);
  }
}

function requireRatio(name: string, value: string): void {
  if (value !== '' && !(Number(value) >= 0 && Number(value) <= 1))
    throw new SettingError(`${name} must be a number from 0 to 1, but is "${value}".`);
}
