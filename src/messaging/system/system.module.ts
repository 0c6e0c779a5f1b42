import { Module } from '@nestjs/common';
import { EmptyAnswersController } from './empty/empty-answers.controller.js';
import { PagesController } from './pages.controller.js';
import { SystemController } from './system.controller.js';
import { StartupService, SystemService } from './system.service.js';

/** Ping, client settings, other calls that clients make at start, and the HTML pages. */
@Module({
  controllers: [SystemController, EmptyAnswersController, PagesController],
  providers: [SystemService, StartupService],
})
export class SystemModule {}
