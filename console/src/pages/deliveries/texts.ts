/** How long a text is in UTF-8. */
export const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Headers as they stand in a message, one per line. */
export const headerLines = (headers: object): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
