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
