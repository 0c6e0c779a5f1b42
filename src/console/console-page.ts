import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CONSOLE_NONCE, consolePolicy, htmlPage } from '../platform/common/http/html-page.js';
import { VERSION } from '../platform/common/version.js';
import { Settings } from '../platform/config/settings.js';
import { ConsoleSettings } from './console.settings.js';

const BUILT = join('dist', 'console');

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** The page at `/` if the console is disabled: links and first steps. */
function frontPage({ siteUrl = '' }: Pick<Settings, 'siteUrl'>): string {
  const site = escapeHtml(siteUrl);
  return htmlPage(
    'Hookline',
    `<h1>Hookline</h1>
<p class="muted">Version ${escapeHtml(VERSION)}. A team-messaging server for webhooks, compatible with the Mattermost v4 API.</p>
<ul>
<li><a href="api/docs">API documentation</a>: sign in and try calls on the page</li>
<li><a href="api/v4/openapi.json">OpenAPI description</a></li>
<li><a href="health/ready">Readiness</a> and <a href="health/live">liveness</a></li>
<li><a href="metrics">Metrics</a> for Prometheus</li>
</ul>
<h2>Post a message</h2>
<p>The first start creates a webhook; <code>first-webhook.txt</code> in the data folder contains a command that posts to it. Any program that can send a request can post:</p>
<pre>curl -d '{"text":"Hello from a webhook"}' -H 'Content-Type: application/json' ${site}/hooks/<i>id</i></pre>
<h2>Use the API</h2>
<p>Sign in; the response has a <code>Token</code> header, which further calls send as <code>Authorization: Bearer</code>. The name and password of the first administrator are in <code>initial-admin.json</code> in the data folder, unless the settings contain them. For programs, use a personal access token.</p>
<pre>curl -i -d '{"login_id":"admin","password":"…"}' ${site}/api/v4/users/login
curl -H 'Authorization: Bearer …' ${site}/api/v4/hooks/incoming</pre>
<p>Events arrive over a WebSocket at <code>/api/v4/websocket</code>.</p>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The page at `/`: the console, or a page of links if the console is disabled or not built. */
@Injectable()
export class ConsolePage {
  /** The built page, which browsers must revalidate. */
  readonly page: string | undefined;
  /** The folder of the assets, whose names change with their content. */
  readonly assets: string;

  constructor(
    private readonly console: ConsoleSettings,
    private readonly settings: Settings,
  ) {
    const folder = join(findRoot(__dirname), BUILT);
    const page = join(folder, 'index.html');
    this.page = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
    this.assets = join(folder, 'console');
  }

  /** The page, and the content policy with the nonce of this response. */
  response(): { readonly html: string; readonly policy: string } {
    const nonce = randomBytes(16).toString('base64url');
    const page = this.console.enableConsole ? this.page : undefined;
    const html = page?.replaceAll(CONSOLE_NONCE, nonce) ?? frontPage(this.settings);
    return { html, policy: consolePolicy(nonce) };
  }
}
