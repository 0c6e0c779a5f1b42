import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../platform/common/json.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { Introductions } from '../../../platform/scaling/introductions.js';
import { StatusesService } from '../../users/statuses/statuses.service.js';

const TOPIC = 'presence';

/** Reports when users come online, with a client of any process, and go offline. */
@Injectable()
export class LivePresence {
  private readonly here = new Set<string>();
  private readonly elsewhere = new Map<string, Set<string>>();
  private readonly present = new Set<string>();
  private readonly introductions: Introductions;
  private readonly noted = new Map<string, () => boolean>();

  constructor(
    private readonly statuses: StatusesService,
    private readonly bus: Bus,
  ) {
    bus.subscribe(TOPIC, (message, from) => this.take(message, from));
    this.introductions = new Introductions(bus, TOPIC, () => bus.publish(TOPIC, { all: [...this.here] }));
    bus.onLeft((processId) => this.replace(processId, new Set()));
  }

  /** Call it when the user's sockets change; `isPresent` is called later. */
  note(userId: string, isPresent: () => boolean): void {
    if (this.noted.size === 0) setImmediate(() => this.report());
    this.noted.set(userId, isPresent);
  }

  private report(): void {
    const noted = [...this.noted];
    this.noted.clear();
    const came: string[] = [];
    const went: string[] = [];
    for (const [userId, isPresent] of noted) {
      const isHere = isPresent();
      if (isHere === this.here.has(userId)) continue;
      if (isHere) this.here.add(userId);
      else this.here.delete(userId);
      (isHere ? came : went).push(userId);
      this.settle(userId);
    }
    if (came.length + went.length > 0) this.bus.publish(TOPIC, { came, went });
  }

  private take({ came, went, all, asks }: JsonObject, from: string): void {
    if (Array.isArray(all)) this.replace(from, new Set(all as string[]));
    else if (Array.isArray(came) && Array.isArray(went)) {
      const users = this.elsewhere.get(from) ?? new Set<string>();
      for (const userId of came as string[]) users.add(userId);
      for (const userId of went as string[]) users.delete(userId);
      this.elsewhere.set(from, users);
      for (const userId of [...(came as string[]), ...(went as string[])]) this.settle(userId);
    }
    this.introductions.hear(asks);
  }

  private replace(processId: string, users: Set<string>): void {
    const before = this.elsewhere.get(processId) ?? [];
    if (users.size === 0) this.elsewhere.delete(processId);
    else this.elsewhere.set(processId, users);
    for (const userId of new Set([...before, ...users])) this.settle(userId);
  }

  private settle(userId: string): void {
    const isPresent = this.here.has(userId) || this.isElsewhere(userId);
    if (isPresent === this.present.has(userId)) return;
    if (isPresent) this.present.add(userId);
    else this.present.delete(userId);
    this.statuses.observePresence(userId, isPresent);
  }

  private isElsewhere(userId: string): boolean {
    for (const users of this.elsewhere.values()) if (users.has(userId)) return true;
    return false;
  }
}
