import { Injectable } from '@nestjs/common';
import { Bus } from '../../../platform/scaling/bus.js';
import { LiveEventsService } from '../live-events.service.js';

/** Lets all clients reconnect, and read what they missed, when messages of other processes have been lost. */
@Injectable()
export class MissedEvents {
  constructor(bus: Bus, live: LiveEventsService) {
    bus.onGap(() => live.reconnectAll('Events of other processes may be missing.'));
  }
}
