interface SignedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: object;
  readonly body: string;
}

/** Quotes a text as a single POSIX shell word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Shell command for a call: the body is byte-identical, and curl expands nothing in the URL. */
export function curlOf({ method, url, headers, body }: SignedCall): string {
  const lines = [
    `curl --globoff --request ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${String(value)}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** The token in the body of a call. Empty if not found. */
export function tokenIn(body: string): string {
  try {
    const { token } = JSON.parse(body) as { readonly token?: unknown };
    return typeof token === 'string' ? token : '';
  } catch {
    return new URLSearchParams(body).get('token') ?? '';
  }
}
