import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import { EndpointDisabled } from './events/endpoint-disabled.event.js';
import { OutgoingHookChanged } from './events/outgoing-hook-changed.event.js';

/** Tells connected system administrators what they may have to act on. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @OnEvent(EndpointDisabled.event)
  onEndpointDisabled({ hookId, teamId, origin, reason }: EndpointDisabled): void {
    this.live.publish({
      event: 'endpoint_disabled',
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId, endpoint: origin, reason },
    });
  }

  @OnEvent('outgoing_hook.disabled')
  @OnEvent('outgoing_hook.enabled')
  onOutgoingHookSwitched({ hookId, teamId, change }: OutgoingHookChanged): void {
    this.live.publish({
      event: `outgoing_hook_${change}`,
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId },
    });
  }
}
