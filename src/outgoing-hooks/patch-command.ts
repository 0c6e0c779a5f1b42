const MAX_VALUE_LENGTH = 512;

/**
 * The line for a terminal that changes one field of an outgoing webhook by PATCH
 * (docs/contract/outgoing-webhooks.md#update). URLs may hold secrets, so they are not repeated.
 */
export function patchCommand(siteUrl: string, hookId: string, field: string, value: unknown): string {
  const written = JSON.stringify(field === 'callback_urls' ? ['https://…'] : value);
  const shown = written.length > MAX_VALUE_LENGTH ? '…' : written;
  const body = quoted(`{${JSON.stringify(field)}:${shown}}`);
  const url = quoted(`${siteUrl}/api/v4/hooks/outgoing/${hookId}`);
  return `curl -X PATCH -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d ${body} ${url}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
