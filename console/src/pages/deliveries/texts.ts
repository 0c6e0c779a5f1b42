/** Length of a text in UTF-8 bytes. */
export const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Formats headers, one per line. */
export const headerLines = (headers: object): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
