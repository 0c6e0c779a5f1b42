import { contentPolicy, inlineSource } from './platform/common/http/html-page.js';

const STYLE =
  'html{box-sizing:border-box;overflow-y:scroll}*,*:before,*:after{box-sizing:inherit}' +
  'body{margin:0;background:#fafafa}';
/** Removes the token that the page of earlier versions kept for good. */
const SCRIPT = "localStorage.removeItem('authorized')";

/** What Swagger UI needs and no more: its own files, and calls of this server. */
export const DOCS_POLICY = contentPolicy(
  `script-src 'self' ${inlineSource(SCRIPT)}`,
  `style-src 'self' ${inlineSource(STYLE)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
);

/** The page of Swagger UI, whose files are below `base`. The page that Nest makes has inline styles all over. */
export function docsPage(base: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Hookline API</title>
<link rel="stylesheet" href="${base}swagger-ui.css">
<link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
<style>${STYLE}</style>
<body>
<div id="swagger-ui"></div>
<script>${SCRIPT}</script>
<script src="${base}swagger-ui-bundle.js"></script>
<script src="${base}swagger-ui-standalone-preset.js"></script>
<script src="${base}swagger-ui-init.js"></script>
</body>
</html>
`;
}
