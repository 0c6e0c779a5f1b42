import { Injectable } from '@nestjs/common';
import { definedOnly } from '../platform/common/defined-only.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import {
  EndpointDisabled,
  OutgoingHookDisabled,
  OutgoingHookEnabled,
  OutgoingHookPaused,
  OutgoingHookResumed,
  type OutgoingHookSwitched,
} from './outgoing-hooks.events.js';

/** Notifies connected system administrators when webhooks stop firing or resume. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @OnEverywhere(EndpointDisabled)
  @OnEverywhere(OutgoingHookDisabled)
  @OnEverywhere(OutgoingHookEnabled)
  @OnEverywhere(OutgoingHookPaused)
  @OnEverywhere(OutgoingHookResumed)
  onSwitched({ name, hookId, teamId, ...details }: OutgoingHookSwitched): void {
    const { origin: endpoint, reason } = details;
    this.live.publish({
      event: name.replace('.', '_'),
      broadcast: { split: 'admins' },
      data: { hook_id: hookId, team_id: teamId, ...definedOnly({ endpoint, reason }) },
    });
  }
}
