import { Injectable } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { ConsoleFiles } from './console-files.js';
import { ConsoleSettings } from './console.settings.js';
import { frontPage } from './front-page.js';

/** What stands at `/`: the console, or a page of links where it was left out. */
@Injectable()
export class ConsolePage {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly console: ConsoleSettings,
    private readonly settings: Settings,
  ) {}

  html(): string {
    const { page } = this.files;
    return this.console.enableConsole && page !== undefined ? page : frontPage(this.settings);
  }
}
