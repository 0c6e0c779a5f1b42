import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../platform/events/listeners.js';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import {
  EndpointDisabled,
  OutgoingHookDisabled,
  OutgoingHookEnabled,
  OutgoingHookPaused,
  OutgoingHookResumed,
} from './outgoing-hooks.events.js';

/** Notifies connected system administrators when webhooks stop firing or resume. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @OnEverywhere(EndpointDisabled)
  onEndpointDisabled({ hookId, teamId, origin, reason }: EndpointDisabled): void {
    this.live.publish({
      event: 'endpoint_disabled',
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId, endpoint: origin, reason },
    });
  }

  @OnEverywhere(OutgoingHookPaused)
  onOutgoingHookPaused({ hookId, teamId, reason }: OutgoingHookPaused): void {
    this.live.publish({
      event: 'outgoing_hook_paused',
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId, reason },
    });
  }

  @OnEverywhere(OutgoingHookDisabled)
  @OnEverywhere(OutgoingHookEnabled)
  @OnEverywhere(OutgoingHookResumed)
  onOutgoingHookSwitched({
    name,
    hookId,
    teamId,
  }: OutgoingHookDisabled | OutgoingHookEnabled | OutgoingHookResumed): void {
    this.live.publish({
      event: name.replace('.', '_'),
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId },
    });
  }
}
