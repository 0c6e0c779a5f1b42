/** Reason for a refused call, with what to do in the console; keep the hint in sync with the server's error. */
export const describeRefusal = (message: string): string =>
  message.replace(
    'or set channel_locked of the webhook to false.',
    'or unlock the webhook under “Settings”.',
  );
