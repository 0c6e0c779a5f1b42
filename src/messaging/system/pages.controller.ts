import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PAGE_POLICY } from '../../platform/common/http/html-page.js';
import { Public } from '../../platform/access/access.js';
import { hookPage } from './pages.js';

const HTML = 'text/html; charset=utf-8';

/** Pages for people, outside the API. */
@ApiExcludeController()
@Controller()
export class PagesController {
  /** The same for every id, known or not: the id is a secret, and looking at it must tell nothing. */
  @Get('hooks/:hook_id')
  @Public({ readsSession: false })
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', PAGE_POLICY)
  getHookPage(): string {
    return hookPage();
  }
}
