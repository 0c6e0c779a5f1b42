/** Short texts for the API's error classes of calls without a response. */
const CLASSES: Readonly<Record<string, string>> = {
  bad_url: 'URL not valid',
  refused_address: 'address not allowed',
  dns: 'name not found',
  connect: 'no connection',
  tls: 'TLS failed',
  timeout: 'timed out',
  reset: 'connection broken',
  protocol: 'not valid HTTP',
  decoding: 'reply unreadable',
  unprepared: 'call not possible',
};

/** Error classes offered as filters. */
export const ERRORS = Object.keys(CLASSES);

/** Text for an error class; an unknown class is returned unchanged. */
export const describeError = (error: string): string => CLASSES[error] ?? error;

interface Outcome {
  readonly status_code: number;
  readonly error: string;
}

/** Whether a call succeeded. */
export const isSuccess = ({ status_code: status, error }: Outcome): boolean =>
  status >= 200 && status < 300 && error === '';

/** Outcome of a call: the response status, or why there was no response. */
export const describeOutcome = ({ status_code: status, error }: Outcome): string =>
  status > 0 ? String(status) : describeError(error) || 'no answer';
