import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { setUpApp } from './app.setup.js';
import { FastExpressAdapter } from './common/http/fast-express.adapter.js';
import { Settings } from './config/settings.js';
import { type OwnerLock, takeOwnerLock } from './database/owner-lock.js';
import { JsonLogger } from './logging/logger.js';

/** A server that answers. `close` refuses new work, finishes what runs, and gives the database free. */
export interface RunningServer {
  readonly app: NestExpressApplication;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts everything in order: the owner lock, the database with its migrations, the application, the first start's
 * contents, the port. `onFatal` is called if the database was taken over by another process later.
 */
export async function startServer(
  settings: Settings,
  logger: JsonLogger,
  onFatal: (reason: Error) => void,
): Promise<RunningServer> {
  const lock = await takeOwnerLock(settings, onFatal);
  try {
    return await startOwned(settings, logger, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startOwned(settings: Settings, logger: JsonLogger, lock: OwnerLock): Promise<RunningServer> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings),
    new FastExpressAdapter(),
    {
      logger,
      bodyParser: false,
      abortOnError: false,
    },
  );
  try {
    setUpApp(app, logger);
    await app.listen(settings.port, settings.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    close: async () => {
      await app.close();
      await lock.release();
    },
  };
}
