import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../platform/access/access.js';
import { CONSOLE_POLICY } from '../platform/common/http/html-page.js';
import { ConsolePage } from './console-page.js';

/** The page at `/`. */
@ApiExcludeController()
@Controller()
export class ConsoleController {
  constructor(private readonly page: ConsolePage) {}

  @Get()
  @Public({ readsSession: false })
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', CONSOLE_POLICY)
  @Header('Cache-Control', 'no-cache')
  getFrontPage(): string {
    return this.page.html();
  }
}
