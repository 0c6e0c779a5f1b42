import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SettledAttempt } from '../../delivery/dispatch/delivery-kind.js';
import { RepeatedWarnings } from '../../platform/logging/repeated-warnings.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';

/** Logs deliveries that are given up: the first immediately, then once a minute per webhook. */
@Injectable()
export class GivenUpDeliveries implements OnApplicationShutdown {
  private readonly warnings = new RepeatedWarnings('OutgoingHooks', 'Deliveries');

  constructor(private readonly hooks: OutgoingHookRecords) {}

  /** Records an attempt in the background. */
  note(attempt: SettledAttempt): void {
    if (attempt.result !== 'failed') return;
    void this.nameOf(attempt.delivery.ownerId).then((name) => this.warn(attempt, name));
  }

  onApplicationShutdown(): void {
    this.warnings.flush();
  }

  private warn({ delivery, statusCode, errorClass }: SettledAttempt, name: string): void {
    const cause = `${new URL(delivery.url).origin}: ${errorClass || `HTTP ${statusCode}`}`;
    this.warnings.note({
      key: delivery.ownerId,
      text: (count) =>
        `The outgoing webhook ${name}${delivery.ownerId} has given up ${count === 1 ? 'a delivery to' : `${count} deliveries, the last to`} ${cause}.`,
      id: delivery.id,
    });
  }

  /** The hook's name, formatted as a prefix of its id; empty if it has no name. */
  private async nameOf(hookId: string): Promise<string> {
    try {
      const name = (await this.hooks.find(hookId))?.displayName;
      return name ? `${JSON.stringify(name)} ` : '';
    } catch {
      return '';
    }
  }
}
