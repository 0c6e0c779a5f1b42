interface SignedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: object;
  readonly body: string;
}

/** A text as one word of a POSIX shell, whatever it has in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The shell command that makes a call: byte by byte the same body, and an address of which curl expands nothing. */
export function curlOf({ method, url, headers, body }: SignedCall): string {
  const lines = [
    `curl --globoff --request ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${String(value)}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}

/** The token of a call, which its body has. Empty if it cannot be found. */
export function tokenIn(body: string): string {
  try {
    const { token } = JSON.parse(body) as { readonly token?: unknown };
    return typeof token === 'string' ? token : '';
  } catch {
    return new URLSearchParams(body).get('token') ?? '';
  }
}
