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

/** Settings for sending traces. The OpenTelemetry SDK reads its other variables itself. */
export class TracingSettings {
  static readonly about: AboutSettings = {
    Traces: {
      OTEL_EXPORTER_OTLP_ENDPOINT:
        'Collector for traces, such as `http://localhost:4318`, over OTLP/HTTP; without it, no traces are sent',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
        'The same including the path, such as `http://localhost:4318/v1/traces`; takes precedence',
      OTEL_SDK_DISABLED: 'Disables traces',
      OTEL_SERVICE_NAME: 'Service name in the traces',
      OTEL_TRACES_SAMPLER: 'Which traces are sent',
      OTEL_TRACES_SAMPLER_ARG: 'For ratio samplers, the share of traces to send, from 0 to 1',
      OUTGOING_TRACEPARENT:
        'If traces are on, sends `traceparent` with outgoing calls and continues that of received ones',
    },
  };

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
