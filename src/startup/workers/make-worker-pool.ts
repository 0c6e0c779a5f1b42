import type { LoggerService } from '@nestjs/common';
import type { AllSettings } from '../../platform/config/all-settings.js';
import { Settings } from '../../platform/config/settings.js';
import { prepareSocketFile } from '../../platform/local-mode/socket-file.js';
import { requireFreePorts } from '../ports.js';
import { WorkerPool } from './worker-pool.js';

/** Makes the pool of workers of this process. Throws PortRefused or LocalSocketRefused, which all of them would. */
export async function makeWorkerPool(
  program: string,
  all: AllSettings,
  logger: LoggerService,
): Promise<WorkerPool> {
  const { workers, localModeSocket, shutdownDelayMs } = all.get(Settings);
  await requireFreePorts(all);
  if (localModeSocket !== undefined) await prepareSocketFile(localModeSocket);
  // This process makes the socket file for its workers, and nothing else that others could read. It makes no folders.
  process.umask(0o177);
  return new WorkerPool(program, workers, shutdownDelayMs, logger);
}
