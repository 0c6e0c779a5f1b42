import 'reflect-metadata';
import { readSettings } from './app.settings.js';
import { startSummary } from './startup/start-summary.js';
import { namesInFile, readEnvironment } from './platform/config/environment.js';
import { misspeltSettings } from './platform/config/misspelt.js';
import { Settings } from './platform/config/settings.js';
import { logDestination } from './platform/logging/log-destination.js';
import { JsonLogger } from './platform/logging/logger.js';
import { type RunningServer, startServer } from './startup/server.js';
import { explainStartFailure } from './startup/start-failure.js';

const STOP_WITHIN_MS = 10_000;

let settings: Settings | undefined;
let logger: JsonLogger | undefined;
let server: RunningServer | undefined;
let isStopping = false;

/** Starts the server. */
export async function run(): Promise<void> {
  process.umask(0o077); // only the owner may read what this process writes
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    const environment = readEnvironment();
    const all = readSettings(environment);
    settings = all.get(Settings);
    logger = new JsonLogger(settings.logLevel, logDestination(settings.logFormat, process.stdout));
    for (const sentence of misspeltSettings(environment, namesInFile(), all.names))
      logger.warn(sentence, 'Settings');
    server = await startServer(all, logger, die);
    process.stdout.write(startSummary(settings, server));
  } catch (error) {
    const sentence = explainStartFailure(error, settings);
    if (sentence === undefined) return die(error);
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  }
}

/** The first signal stops the server gracefully, within a time limit; a second one exits at once. */
function stop(): void {
  if (isStopping || !server) process.exit(1);
  isStopping = true;
  setTimeout(() => {
    logger?.error(`The server did not stop within ${STOP_WITHIN_MS / 1000} seconds.`, 'Main');
    process.exit(1);
  }, STOP_WITHIN_MS);
  server.close().then(() => process.exit(0), die);
}

/** Logs and exits after a bug, or when another process has taken over the database. */
function die(reason: unknown): never {
  try {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    if (logger) logger.error(error.message, error.stack, 'Main');
    else process.stderr.write(`${error.stack ?? error.message}\n`);
  } finally {
    process.exit(1);
  }
}
