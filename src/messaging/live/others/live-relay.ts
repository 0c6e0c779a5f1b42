import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { Bus } from '../../../platform/scaling/bus.js';
import type { Broadcast, LiveData } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';

/** An event that is made of ids and facts. */
interface RelayedEvent {
  readonly event: 'typing' | 'multiple_channels_viewed';
  readonly broadcast: Broadcast;
  readonly data: LiveData;
}

const TOPIC = 'live';

/** Publishes events in all processes that serve the database, for which the others need to read nothing. */
@Injectable()
export class LiveRelay {
  constructor(
    private readonly live: LiveEventsService,
    private readonly bus: Bus,
  ) {
    bus.subscribe(TOPIC, (message) => {
      if (isRelayed(message)) live.publish(message);
    });
  }

  /** Call it after the change is committed. Never throws. */
  publish(event: RelayedEvent): void {
    this.live.publish(event);
    this.bus.publish(TOPIC, { ...event });
  }
}

function isRelayed(message: JsonObject): message is JsonObject & RelayedEvent {
  const { event, broadcast, data } = message;
  return (
    (event === 'typing' || event === 'multiple_channels_viewed') &&
    isJsonObject(broadcast) &&
    isJsonObject(data)
  );
}
