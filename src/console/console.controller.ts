import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../platform/access/access.js';
import { ConsolePage } from './console-page.js';

/** The page at `/`. */
@ApiExcludeController()
@Controller()
export class ConsoleController {
  constructor(private readonly page: ConsolePage) {}

  @Get()
  @Public({ readsSession: false })
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  getFrontPage(@Res({ passthrough: true }) response: Response): string {
    const { html, policy } = this.page.response();
    response.setHeader('Content-Security-Policy', policy);
    return html;
  }
}
