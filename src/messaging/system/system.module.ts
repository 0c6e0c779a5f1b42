import { Module } from '@nestjs/common';
import { EmptyAnswersController } from './empty-answers.controller.js';
import { PagesController } from './pages.controller.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';
import { Declares } from '../../platform/modules/declares.js';

/** Ping, client settings, other calls that clients make at start, and the HTML pages. */
@Module({
  controllers: [SystemController, EmptyAnswersController, PagesController],
  providers: [SystemService],
})
@Declares({
  apiGroups: [
    {
      name: 'system',
      position: 160,
      description: 'The server itself: version, client settings, audit log, WebSocket events.',
    },
    {
      name: 'not available',
      position: 180,
      description: 'Unsupported features that clients request: the lists are empty.',
    },
  ],
})
export class SystemModule {}
