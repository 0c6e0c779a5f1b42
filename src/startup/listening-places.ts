import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ListeningPlace, OwnAddress } from '../delivery/outbound/own-address.js';
import { newId } from '../platform/common/ids.js';
import type { JsonObject } from '../platform/common/json.js';
import { ChangeLog } from '../platform/database/changes/change-log.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';

const TOPIC = 'places';
/** Twice within the time whose changes a process takes over that starts. */
const TELL_EVERY_MS = 30_000;
/** A process that has told nothing for so long is gone, and its address may be another server's. */
const KNOWN_MS = 6 * TELL_EVERY_MS;

/** Tells the other processes that serve the database where this one listens, so that none calls another one. */
@Injectable()
export class ListeningPlaces implements OnApplicationShutdown {
  private readonly processId = newId();
  private readonly others = new Map<string, { readonly place: ListeningPlace; readonly heardAt: number }>();
  private readonly tells = new PeriodicTask(ListeningPlaces.name, 'Addresses cannot be told.', () =>
    this.tell(),
  );

  constructor(
    private readonly own: OwnAddress,
    private readonly changes: ChangeLog,
  ) {
    changes.on(TOPIC, (message) => this.hear(message), 'recently');
    own.others = () => this.known();
  }

  /** Call it when the ports are open. */
  start(): void {
    if (!this.changes.isShared) return;
    void this.tells.run();
    this.tells.start(TELL_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tells.stop();
  }

  private tell(): void {
    this.changes.append({ topic: TOPIC, body: { from: this.processId, ...this.own.place } });
  }

  private hear({ from, machine, addresses, ports }: JsonObject): void {
    const id = String(from);
    const isNew = !this.others.has(id);
    const place = { machine, addresses, ports } as unknown as ListeningPlace;
    this.others.set(id, { place, heardAt: performance.now() });
    if (isNew) void this.tells.run(); // it does not know this one either
  }

  private known(): ListeningPlace[] {
    const now = performance.now();
    for (const [id, { heardAt }] of this.others) if (now - heardAt > KNOWN_MS) this.others.delete(id);
    return [...this.others.values()].map(({ place }) => place);
  }
}
