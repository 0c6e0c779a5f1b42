/** A time as a field for date and time takes it: the local one, to the second. Empty if there is no such time. */
export function toLocal(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(at - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The time of such a field, in milliseconds; undefined while it is not complete, and before 1970. */
export function fromLocal(text: string): number | undefined {
  const at = new Date(text).getTime();
  return at >= 0 ? at : undefined;
}
