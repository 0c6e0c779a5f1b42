import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles, ConsolePage } from './console-page.js';
import { ConsoleSettings } from './console.settings.js';

/** The console: a browser page that uses the API like any other client. */
@Module({
  controllers: [ConsoleController],
  providers: [ConsoleFiles, ConsolePage],
  exports: [ConsoleFiles],
})
@Declares({ settings: ConsoleSettings })
export class ConsoleModule {}
