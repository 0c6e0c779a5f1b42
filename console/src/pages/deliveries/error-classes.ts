/** Short texts for the API's error classes of attempts without a response. */
const CLASSES: Readonly<Record<string, string>> = {
  bad_url: 'Invalid URL',
  refused_address: 'Address not allowed',
  dns: 'Name not found',
  connect: 'No connection',
  tls: 'TLS failed',
  timeout: 'Timed out',
  reset: 'Connection broken',
  protocol: 'Invalid HTTP',
  decoding: 'Unreadable response',
  unprepared: 'Could not be sent',
};
/** Errors of deliveries that consumers fetch. */
const PULLED: Readonly<Record<string, string>> = {
  nacked: 'Rejected by the consumer',
  lease_expired: 'Not confirmed in time',
  expired: 'Not fetched in time',
};

/** Error classes offered as filters, and their texts. */
export const ERRORS = CLASSES;

/** Text for an error class; an unknown class is returned unchanged. */
export const describeError = (error: string): string => CLASSES[error] ?? PULLED[error] ?? error;

interface Outcome {
  readonly status_code: number;
  readonly error: string;
}

/** Whether an attempt succeeded. */
export const isSuccess = ({ status_code: status, error }: Outcome): boolean =>
  status >= 200 && status < 300 && error === '';

/** Outcome of an attempt: the response status, or why there was no response. */
export const describeOutcome = ({ status_code: status, error }: Outcome): string =>
  status > 0 ? String(status) : describeError(error) || 'No response';

/** Texts for the API's reasons why a delivery failed or was cancelled. */
const REASONS: Readonly<Record<string, string>> = {
  attempts_exhausted: 'All attempts failed.',
  gone: 'The receiver reported that the URL is gone.',
  disabled_by_receiver: 'The receiver wants no more calls.',
  refused: 'The receiver refused it.',
  unprepared: 'This server could not make the call.',
  hook_deleted: 'The webhook was deleted.',
  hook_disabled: 'The webhook was disabled.',
  url_disabled: 'The URL was disabled.',
  url_removed: 'The URL was removed from the webhook.',
  hook_paused: 'The webhook is paused.',
  switched_off: 'Outgoing webhooks are switched off.',
  message_limit: 'The message triggered too many calls.',
  skipped: 'It was skipped by hand.',
  hop_limit: 'Webhooks have answered each other three times in a row.',
  expired: 'Nobody fetched it in time.',
  post_deleted: 'The message was deleted.',
};

/** Text for a reason; an unknown reason is returned unchanged. */
export const describeReason = (reason: string): string => REASONS[reason] ?? reason;
