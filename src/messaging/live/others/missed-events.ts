import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../platform/database/changes/change-log.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { LiveEventsService } from '../live-events.service.js';

/** Lets all clients reconnect, and read what they missed, when messages or changes of other processes have been lost. */
@Injectable()
export class MissedEvents {
  constructor(bus: Bus, changes: ChangeLog, live: LiveEventsService) {
    bus.onGap(() => live.reconnectAll('Events of other processes may be missing.'));
    // Their sessions may have ended, so they must not hear anything more.
    changes.onLost(() => live.disconnectAll('Changes of other processes are missing.'));
  }
}
