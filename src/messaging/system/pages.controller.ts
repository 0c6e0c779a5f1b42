import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { htmlPage, PAGE_POLICY } from '../../platform/common/http/html-page.js';
import { Public } from '../../platform/access/access.js';

function hookPage(): string {
  return htmlPage(
    'Webhook',
    `<h1>Webhook</h1>
<p>This is the URL of an incoming webhook. Programs post messages to it with <code>POST</code>; there is nothing to see here.</p>
<pre>curl -d '{"text":"Hello"}' -H 'Content-Type: application/json' <i>this URL</i></pre>
<p class="muted">Anybody who knows the URL can post: treat it like a password.</p>`,
  );
}

const HTML = 'text/html; charset=utf-8';

/** HTML pages outside the API. */
@ApiExcludeController()
@Controller()
export class PagesController {
  /** The same page for every id, known or not: the id is a secret, so the page must not confirm it. */
  @Get('hooks/:hook_id')
  @Public({ readsSession: false })
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', PAGE_POLICY)
  getHookPage(): string {
    return hookPage();
  }
}
