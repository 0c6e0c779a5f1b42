import { htmlPage } from '../../platform/common/http/html-page.js';

/** The page that a browser shows at the URL of a webhook. */
export function hookPage(): string {
  return htmlPage(
    'Webhook',
    `<h1>Webhook</h1>
<p>This is the address of an incoming webhook. Programs post messages to it with <code>POST</code>; there is nothing to look at.</p>
<pre>curl -d '{"text":"Hello"}' -H 'Content-Type: application/json' <i>this address</i></pre>
<p class="muted">Whoever knows the address can post: treat it like a password.</p>`,
  );
}
