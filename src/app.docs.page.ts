import { DOCS_SCRIPT } from './app.docs.script.js';
import { contentPolicy, inlineSource } from './platform/common/http/html-page.js';

const STYLE =
  'html{box-sizing:border-box;overflow-y:scroll}*,*:before,*:after{box-sizing:inherit}' +
  'body{margin:0;background:#fafafa}' +
  '#sign-in{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:.8em;align-items:center;padding:1em 20px;' +
  'max-width:1460px;margin:0 auto}#sign-in input{padding:.3em}#sign-in button{padding:.3em .8em}' +
  '.swagger-ui tr.folded td{padding:2px 0;font-size:13px}.swagger-ui tr.folded button{border:0;background:none;' +
  'color:#3b6ea5;cursor:pointer;text-decoration:underline}';

/** What the page needs and no more: its own files, and calls of this server. */
export const DOCS_POLICY = contentPolicy(
  `script-src 'self' ${inlineSource(DOCS_SCRIPT)}`,
  `style-src 'self' ${inlineSource(STYLE)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
);

/** The page of Swagger UI, whose files are below `base`. The page that Nest makes has inline styles all over. */
export function docsPage(base: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Hookline API</title>
<link rel="stylesheet" href="${base}swagger-ui.css">
<link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
<style>${STYLE}</style>
<body>
<form id="sign-in">
<label>Username <input name="login_id" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
<output></output>
</form>
<div id="swagger-ui"></div>
<script src="${base}swagger-ui-bundle.js"></script>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`;
}
