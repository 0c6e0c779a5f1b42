import { createHash } from 'node:crypto';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:3em auto;padding:0 1em;color:#1b1f24;background:#fff}' +
  'h1{margin-bottom:0}h2{margin-top:2em;font-size:1.1em}code,pre{font-family:ui-monospace,monospace;font-size:.9em}' +
  'pre{background:#f3f4f6;padding:1em;border-radius:6px;overflow:auto}.muted{color:#59636e}' +
  '@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}a{color:#6cb6ff}.muted{color:#9198a1}}';

/** The CSP source expression that allows exactly one inline style or script. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A content policy that allows only the given sources, and no framing and no form submission. */
export function contentPolicy(...allowed: readonly string[]): string {
  const always = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...allowed, ...always].join('; ');
}

/** The content policy of pages built by `htmlPage`. */
export const PAGE_POLICY = contentPolicy(`style-src ${inlineSource(STYLE)}`);

/** Stands for the nonce in the built console (`html.cspNonce` in `console/vite.config.mjs`). */
export const CONSOLE_NONCE = 'HOOKLINE_NONCE';

/**
 * The content policy of `/`: own files, calls to this server, and `<style>` elements with the nonce of the response.
 * Also fits pages of `htmlPage`.
 */
export function consolePolicy(nonce: string): string {
  return contentPolicy(
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}' ${inlineSource(STYLE)}`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
  );
}

/** A small page for people. `content` is HTML. */
export function htmlPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
${content}
</html>
`;
}
