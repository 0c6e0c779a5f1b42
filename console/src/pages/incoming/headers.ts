/** Headers of kept calls that a payload may depend on. Others would be sent twice, or repeat the earlier call. */
const OF_PAYLOAD = /^(?:content-type$|ce-|hookline-|sentry-hook-|x-)/;

export const headersOfPayload = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .filter(([name]) => OF_PAYLOAD.test(name))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');

/** Headers from lines of text; JSON is the default content type. */
export function headersIn(text: string): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const line of text.split('\n')) {
    const [name = '', ...value] = line.split(':');
    if (name.trim() !== '') headers[name.trim().toLowerCase()] = value.join(':').trim();
  }
  return headers;
}
