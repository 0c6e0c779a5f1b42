import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { Introductions } from '../../../platform/scaling/introductions.js';
import type { StatusRecord } from './status-record.js';
import { StatusesService } from './statuses.service.js';

const TOPIC = 'statuses';
const AT_ONCE = 1_000;

/** Shares with the other processes which statuses users have chosen or are observed to have. */
@Injectable()
export class SharedStatuses {
  private readonly introductions: Introductions | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly statuses: StatusesService,
  ) {
    if (!bus.hasOthers) return;
    statuses.onMarked = (userId, mark) => this.tell([[userId, mark]]);
    bus.subscribe(TOPIC, (message) => this.take(message));
    this.introductions = new Introductions(bus, TOPIC, () => this.tellAll());
  }

  private take({ asks, marks }: JsonObject): void {
    if (isJsonObject(marks))
      for (const [userId, mark] of Object.entries(marks)) this.statuses.merge(userId, mark as StatusRecord);
    this.introductions?.hear(asks);
  }

  private tellAll(): void {
    const all = [...this.statuses.all()];
    for (let from = 0; from < all.length; from += AT_ONCE) this.tell(all.slice(from, from + AT_ONCE));
  }

  private tell(marks: readonly (readonly [string, StatusRecord])[]): void {
    this.bus.publish(TOPIC, { marks: Object.fromEntries(marks) });
  }
}
