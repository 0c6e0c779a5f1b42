import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { setUpApp, setUpNotFound } from '../app.setup.js';
import { BootstrapService, type StartContents } from './bootstrap.service.js';
import { ApiExpressAdapter } from '../platform/common/http/api-express.adapter.js';
import { OpenConnections } from '../platform/common/http/open-connections.js';
import { OwnAddress } from '../delivery/outbound/own-address.js';
import type { AllSettings } from '../platform/config/all-settings.js';
import { Settings } from '../platform/config/settings.js';
import { DatabaseInUse } from '../platform/database/installation/served-databases.js';
import { type OwnerLock, takeOwnerLock } from '../platform/database/owner-lock.js';
import { HealthService } from '../platform/health/health.service.js';
import { LocalModeServer } from '../platform/local-mode/local-mode-server.js';
import { JsonLogger } from '../platform/logging/logger.js';
import { MetricsServer } from '../platform/metrics/metrics-server.js';
import { MetricsSettings } from '../platform/metrics/metrics.settings.js';
import { listen, ListeningPlaces, requireFreePorts } from './listening-places.js';

/** After this, a shutdown destroys open connections; the remaining time is left for the database. */
const CUT_AFTER_MS = 5_000;

/** A running server. `close` waits SHUTDOWN_DELAY, drains open requests, and releases the database. */
export interface RunningServer {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly port: number;
  readonly contents: StartContents;
  /** Stops accepting connections; resolves once the open ones have ended or were idle long enough. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts everything in order: port check, owner lock, database and migrations, application, first-start
 * contents, port. Calls `onFatal` if another process takes over the database later.
 */
export async function startServer(
  all: AllSettings,
  logger: JsonLogger,
  onFatal: (reason: Error) => void,
): Promise<RunningServer> {
  if (!cluster.isWorker) await requireFreePorts(all); // workers share ports that are already open
  const lock = await takeOwnerLock(all.get(Settings), onFatal);
  try {
    const server = await startWithLock(all, logger, lock);
    await lock.started();
    return server;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startWithLock(all: AllSettings, logger: JsonLogger, lock: OwnerLock): Promise<RunningServer> {
  const settings = all.get(Settings);
  const { metricsPort } = all.get(MetricsSettings);
  const adapter = new ApiExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(all, lock), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  const http: Server = app.getHttpServer();
  const connections = new OpenConnections(http, {
    perAddress: settings.connectionsPerAddress,
    isProxy: isProxy(adapter),
  });
  let local: LocalModeServer | undefined;
  let metrics: MetricsServer | undefined;
  let contents: StartContents;
  try {
    setUpApp(app, logger);
    await app.init();
    setUpNotFound(app);
    contents = await app.get(BootstrapService).run();
    await app.get(DatabaseInUse).remember();
    if (settings.localModeSocket !== undefined)
      local = await LocalModeServer.open(adapter, settings.localModeSocket);
    if (metricsPort !== undefined) {
      metrics = new MetricsServer(adapter);
      await listen(metrics.server, settings.host, metricsPort, 'METRICS_PORT');
    }
    await listen(http, settings.host, settings.port, 'PORT');
  } catch (error) {
    await Promise.all([local?.finish(), metrics?.finish()]);
    await app.close();
    throw error;
  }
  const { port } = http.address() as AddressInfo;
  app.get(BootstrapService).listensOn(port, contents);
  const own = app.get(OwnAddress);
  for (const each of [port, metricsPort]) if (each !== undefined) own.add(each);
  if (settings.siteUrl !== undefined) own.setSite(new URL(settings.siteUrl));
  app.get(ListeningPlaces).start();
  return {
    app,
    port,
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    contents,
    drain: async () => {
      await Promise.all([connections.drain(), local?.drain(), metrics?.drain()]);
    },
    close: async () => {
      app.get(HealthService).retire();
      await sleep(settings.shutdownDelayMs);
      const cut = setTimeout(
        () => [connections, local, metrics].forEach((open) => open?.cut()),
        CUT_AFTER_MS,
      );
      try {
        await Promise.all([connections.finish(), local?.finish(), metrics?.finish()]);
        await app.close(); // modules release their resources, such as live connections
      } finally {
        clearTimeout(cut);
        await lock.release();
      }
    },
  };
}

/** Whether an address is one of TRUSTED_PROXIES, as Express sees it. */
function isProxy(adapter: ApiExpressAdapter): (address: string) => boolean {
  return (address) => {
    const isTrusted = adapter.getInstance<Express>().get('trust proxy fn') as (
      address: string,
      hop: number,
    ) => boolean;
    return isTrusted(address, 0);
  };
}
