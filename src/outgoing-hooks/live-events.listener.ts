import { Injectable } from '@nestjs/common';
import { On } from '../platform/events/listeners.js';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import { EndpointDisabled } from './events/endpoint-disabled.event.js';
import { OutgoingHookDisabled } from './events/outgoing-hook-disabled.event.js';
import { OutgoingHookEnabled } from './events/outgoing-hook-enabled.event.js';

/** Notifies connected system administrators of disabled and enabled webhooks. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @On(EndpointDisabled)
  onEndpointDisabled({ hookId, teamId, origin, reason }: EndpointDisabled): void {
    this.live.publish({
      event: 'endpoint_disabled',
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId, endpoint: origin, reason },
    });
  }

  @On(OutgoingHookDisabled)
  @On(OutgoingHookEnabled)
  onOutgoingHookSwitched({ name, hookId, teamId }: OutgoingHookDisabled | OutgoingHookEnabled): void {
    this.live.publish({
      event: name.replace('.', '_'),
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId },
    });
  }
}
