import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { ConsoleController } from './console.controller.js';
import { ConsolePage } from './console-page.js';
import { ConsoleSettings } from './console.settings.js';

/** The console: a browser page that uses the API like any other client. */
@Module({
  controllers: [ConsoleController],
  providers: [ConsolePage],
  exports: [ConsolePage],
})
@Declares({ settings: ConsoleSettings })
export class ConsoleModule {}
