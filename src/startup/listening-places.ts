import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createServer, type Server } from 'node:net';
import { type ListeningPlace, OwnAddress } from '../delivery/outbound/own-address.js';
import { newId } from '../platform/common/ids.js';
import type { JsonObject } from '../platform/common/json.js';
import { ChangeLog } from '../platform/database/changes/change-log.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';
import type { AllSettings } from '../platform/config/all-settings.js';
import { Settings } from '../platform/config/settings.js';
import { MetricsSettings } from '../platform/metrics/metrics.settings.js';
import { PortRefused } from './start-failure.js';

const TOPIC = 'places';
/** Twice within the period of past changes that a starting process reads. */
const ANNOUNCE_EVERY_MS = 30_000;
/** A process silent for this long is gone, and its address may belong to another server. */
const KNOWN_MS = 6 * ANNOUNCE_EVERY_MS;

/** Announces where this process listens to the others on the same database, so that none calls another. */
@Injectable()
export class ListeningPlaces implements OnApplicationShutdown {
  private readonly processId = newId();
  private readonly others = new Map<string, { readonly place: ListeningPlace; readonly heardAt: number }>();
  private readonly task = new PeriodicTask(ListeningPlaces.name, 'Addresses cannot be published.', () =>
    this.announce(),
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
    void this.task.run();
    this.task.start(ANNOUNCE_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private announce(): void {
    this.changes.append({ topic: TOPIC, body: { from: this.processId, ...this.own.place } });
  }

  private hear({ from, machine, addresses, ports }: JsonObject): void {
    const id = String(from);
    const isNew = !this.others.has(id);
    const place = { machine, addresses, ports } as unknown as ListeningPlace;
    this.others.set(id, { place, heardAt: performance.now() });
    if (isNew) void this.task.run(); // the new process does not know this one either
  }

  private known(): ListeningPlace[] {
    const now = performance.now();
    for (const [id, { heardAt }] of this.others) if (now - heardAt > KNOWN_MS) this.others.delete(id);
    return [...this.others.values()].map(({ place }) => place);
  }
}

/** Checks the ports before anything is set up. Throws PortRefused if one cannot be opened. */
export async function requireFreePorts(all: AllSettings): Promise<void> {
  const { host, port } = all.get(Settings);
  const { metricsPort } = all.get(MetricsSettings);
  const ports = [
    ['PORT', port],
    ['METRICS_PORT', metricsPort],
  ] as const;
  for (const [variable, wanted] of ports) {
    if (wanted === undefined) continue;
    const probe = createServer();
    await listen(probe, host, wanted, variable);
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** Listens on a port. `variable` is the name of its setting. Throws PortRefused. */
export function listen(server: Server, host: string, port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(new PortRefused(host, port, error.code, variable));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}
