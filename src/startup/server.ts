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
import type { HttpRequest } from '../platform/common/http/http-request.js';
import { OpenConnections } from '../platform/common/http/open-connections.js';
import { OwnAddress } from '../delivery/outbound/own-address.js';
import type { AllSettings } from '../platform/config/all-settings.js';
import { Settings } from '../platform/config/settings.js';
import { ServedDatabases } from '../platform/database/installation/served-databases.js';
import { type OwnerLock, takeOwnerLock } from '../platform/database/owner-lock.js';
import { HealthService } from '../platform/health/health.service.js';
import { listenOnSocketFile } from '../platform/local-mode/socket-file.js';
import { JsonLogger } from '../platform/logging/logger.js';
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

/** Starts everything in order. Calls `onFatal` if another process takes over the database later. */
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
  const limit = { perAddress: settings.connectionsPerAddress, isProxy: isProxy(adapter) };
  const servers = [new OpenConnections(http, limit)];
  const addServer = (marks: Partial<HttpRequest>): Server => {
    const server = adapter.createServer((request) => void Object.assign(request, marks));
    servers.push(new OpenConnections(server));
    return server;
  };
  const finish = () => Promise.all(servers.map((server) => server.finish()));
  let contents: StartContents;
  try {
    setUpApp(app, logger);
    await app.init();
    setUpNotFound(app);
    contents = await app.get(BootstrapService).run();
    await app.get(ServedDatabases).remember();
    if (settings.localModeSocket !== undefined)
      await listenOnSocketFile(addServer({ isLocal: true }), settings.localModeSocket);
    if (metricsPort !== undefined)
      await listen(addServer({ isForMetrics: true }), settings.host, metricsPort, 'METRICS_PORT');
    await listen(http, settings.host, settings.port, 'PORT');
  } catch (error) {
    await finish();
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
      await Promise.all(servers.map((server) => server.drain()));
    },
    close: async () => {
      app.get(HealthService).retire();
      await sleep(settings.shutdownDelayMs);
      const cut = setTimeout(() => servers.forEach((server) => server.cut()), CUT_AFTER_MS);
      try {
        await finish();
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
