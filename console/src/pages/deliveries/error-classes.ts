/** How calls fail without an answer, by the classes of the API, in words that fit into a list. */
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

/** The classes by which lists are filtered. */
export const ERRORS = Object.keys(CLASSES);

/** How a call failed, in words; a class that is not known as it is. */
export const errorInWords = (error: string): string => CLASSES[error] ?? error;

interface Outcome {
  readonly status_code: number;
  readonly error: string;
}

/** Whether a call was answered as it should be. */
export const isSuccess = ({ status_code: status, error }: Outcome): boolean =>
  status >= 200 && status < 300 && error === '';

/** What came of a call: the status of its answer, or why there was none. */
export const outcomeInWords = ({ status_code: status, error }: Outcome): string =>
  status > 0 ? String(status) : errorInWords(error) || 'no answer';
