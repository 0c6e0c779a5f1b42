import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../platform/database/changes/change-log.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { LiveEventsService } from '../live-events.service.js';

/** Lets all clients reconnect, and read what they missed, when messages of other processes or changes have been lost. */
@Injectable()
export class MissedEvents {
  constructor(bus: Bus, changes: ChangeLog, live: LiveEventsService) {
    bus.onGap(() => live.reconnectAll('Events of other processes may be missing.'));
    changes.onLost((loss) => {
      if (loss === 'commit') live.reconnectAll('Events of a commit may be missing.');
      // Their sessions may have ended, so they must not hear anything more.
      else live.disconnectAll('Changes of other processes are missing.');
    });
  }
}
