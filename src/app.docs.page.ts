import { DOCS_SCRIPT } from './app.docs.script.js';
import { contentPolicy, inlineSource } from './platform/common/http/html-page.js';

const STYLE =
  'html{box-sizing:border-box;overflow-y:scroll}*,*:before,*:after{box-sizing:inherit}' +
  'body{margin:0}html:not(.dark-mode) body{background:#fafafa}' +
  '#sign-in{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:.8em;align-items:center;padding:1em 20px 0;' +
  'max-width:1460px;margin:0 auto}#sign-in input,#sign-in button{font:inherit;padding:.3em .6em}' +
  '.dark-mode #sign-in{color:#e4e6e6;color-scheme:dark}' +
  // There is only this server, and no response has links.
  '.swagger-ui .scheme-container .schemes .schemes-server-container,.swagger-ui .response-col_links{display:none}' +
  '.swagger-ui .scheme-container{padding:10px 0;background:none;box-shadow:none}.swagger-ui .info{margin:24px 0}' +
  '.swagger-ui .operation-filter-input{margin:10px 0;width:100%}' +
  '.swagger-ui tr.error td,.swagger-ui tr.error .response-col_status{padding:3px 0;font-size:13px;vertical-align:top}' +
  '.swagger-ui tr.error button{border:0;background:none;color:#3b6ea5;cursor:pointer;text-decoration:underline}' +
  '.dark-mode .swagger-ui .examples-select__section-label{color:#e4e6e6}.dark-mode .swagger-ui tr.error button{color:#8ab8e6}.swagger-ui tr.error pre{margin:4px 0;overflow:auto}' +
  '@media(max-width:640px){.swagger-ui .wrapper,.swagger-ui .scheme-container .schemes{padding:0 10px}' +
  '.swagger-ui .opblock-tag{flex-wrap:wrap}.swagger-ui .opblock-tag small{order:1;flex:1 0 100%;padding:0}' +
  '.swagger-ui .opblock-tag a{flex:1}.swagger-ui table.parameters,.swagger-ui table.responses-table{table-layout:fixed}' +
  '.swagger-ui .response-col_status{width:3.5em}.swagger-ui .parameters-col_name,.swagger-ui .parameters .col_header:first-child{width:7em}.swagger-ui select,.swagger-ui input{max-width:100%}' +
  '.swagger-ui td,.swagger-ui code{overflow-wrap:anywhere}}';

/** The content policy of the page: own files, and calls to this server. */
export const DOCS_POLICY = contentPolicy(
  `script-src 'self' ${inlineSource(DOCS_SCRIPT)}`,
  `style-src 'self' ${inlineSource(STYLE)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
);

/** The Swagger UI page, with its files below `base`. Nest's own page uses inline styles throughout. */
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
<output>The name and password of the first account are in initial-admin.json in the data folder, unless the settings contain the password.</output>
</form>
<div id="swagger-ui"></div>
<script src="${base}swagger-ui-bundle.js"></script>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`;
}
