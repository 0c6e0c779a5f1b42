import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleFiles } from './console-files.js';
import { ConsolePage } from './console-page.js';
import { ConsoleSettings } from './console.settings.js';

/** The console: a page in the browser that calls the API as any other client does. */
@Module({
  controllers: [ConsoleController],
  providers: [ConsoleFiles, ConsolePage],
  exports: [ConsoleFiles],
})
@Declares({ settings: ConsoleSettings })
export class ConsoleModule {}
