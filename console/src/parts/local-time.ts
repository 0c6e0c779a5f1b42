/** Value for a datetime-local input, in local time with seconds. Empty if the time is invalid. */
export function toLocal(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(at - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Parses a datetime-local value to milliseconds; undefined if incomplete or before 1970. */
export function fromLocal(text: string): number | undefined {
  const at = new Date(text).getTime();
  return at >= 0 ? at : undefined;
}
