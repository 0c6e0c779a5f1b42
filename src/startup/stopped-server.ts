import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import type { AllSettings } from '../platform/config/all-settings.js';
import { Settings } from '../platform/config/settings.js';
import { DatabaseOwned } from '../platform/database/database-owned.js';
import { type OwnerLock, takeOwnerLockAlone } from '../platform/database/owner-lock.js';
import { JsonLogger, logDestination } from '../platform/logging/logger.js';

/** A part of the server that neither makes nor serves requests. */
@Module({})
class StoppedServerModule {
  static with(all: AllSettings, lock: OwnerLock, parts: Type): DynamicModule {
    return { module: StoppedServerModule, imports: [parts, ...AppModule.base(all, lock, false)] };
  }
}

/**
 * Runs `action` with modules of the server, while no server uses the database. `hint` says what to do otherwise.
 * Throws CommandRefused.
 */
export async function withStoppedServer<T>(
  all: AllSettings,
  parts: Type,
  hint: string,
  action: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const lock = await takeLock(all.get(Settings), hint);
  try {
    const logger = new JsonLogger('warn', logDestination('text', process.stderr));
    const module = StoppedServerModule.with(all, lock, parts);
    const app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
    try {
      return await action(app);
    } finally {
      await app.close();
    }
  } finally {
    await lock.release();
  }
}

async function takeLock(settings: Settings, hint: string): Promise<OwnerLock> {
  try {
    return await takeOwnerLockAlone(settings);
  } catch (error) {
    if (!(error instanceof DatabaseOwned)) throw error;
    throw new CommandRefused(`${error.message} ${hint}`);
  }
}
