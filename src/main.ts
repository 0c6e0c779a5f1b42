import 'reflect-metadata';
import cluster from 'node:cluster';
import { readSettings } from './app.settings.js';
import { startSummary, type Started } from './startup/start-summary.js';
import { type AllSettings, misspeltSettings } from './platform/config/all-settings.js';
import { namesInFile, readEnvironment, Settings } from './platform/config/settings.js';
import { JsonLogger, logDestination } from './platform/logging/logger.js';
import { startServer } from './startup/server.js';
import { explainStartFailure } from './startup/start-failure.js';
import { makeWorkerPool } from './startup/workers/worker-pool.js';
import { outlivePrimary, reportReady } from './startup/workers/primary.js';

const STOP_WITHIN_MS = 10_000;

interface Running {
  close(): Promise<void>;
  kill?(): void;
}

let settings: Settings | undefined;
let logger: JsonLogger | undefined;
let running: Running | undefined;
let isStopping = false;

/** Starts the server; if WORKERS is above 1, starts it as worker processes of `program`. */
export async function run(program: string): Promise<void> {
  process.umask(0o077); // only the owner may read what this process writes
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  const onSignal = cluster.isWorker ? stopOnce : stop;
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    const environment = readEnvironment();
    const all = readSettings(environment);
    settings = all.get(Settings);
    logger = new JsonLogger(
      settings.logLevel,
      logDestination(settings.logFormat, process.stdout),
      cluster.worker && { worker: cluster.worker.id },
    );
    if (cluster.isWorker) return await startWorker(all, logger);
    for (const sentence of misspeltSettings(environment, namesInFile(), all.names))
      logger.warn(sentence, 'Settings');
    const start = settings.workers > 1 ? startAll(program, all, logger) : startAlone(all, logger);
    process.stdout.write(startSummary(settings, await start, process.stdout.isTTY));
  } catch (error) {
    const sentence = explainStartFailure(error, settings);
    if (sentence === undefined) return die(error);
    process.stderr.write(sentence && `${sentence}\n`);
    process.exit(1);
  }
}

async function startAlone(all: AllSettings, log: JsonLogger): Promise<Started> {
  const server = await startServer(all, log, die);
  running = server;
  return server;
}

/** Starts the workers, and replaces them one by one on SIGHUP. */
async function startAll(program: string, all: AllSettings, log: JsonLogger): Promise<Started> {
  const pool = await makeWorkerPool(program, all, log);
  process.on('SIGHUP', () => void pool.restart());
  const started = await pool.start();
  running = pool;
  return started;
}

/** Starts the server as a worker. If the primary process exits, the worker shuts down gracefully. */
async function startWorker(all: AllSettings, log: JsonLogger): Promise<void> {
  process.on('SIGHUP', () => undefined); // closing a terminal signals all processes
  outlivePrimary(stop);
  const server = await startServer(all, log, die);
  running = server;
  reportReady(server, stopOnce);
}

/** The first signal stops the server gracefully, within a time limit; a second one exits at once. */
function stop(): void {
  if (isStopping || !running) {
    running?.kill?.();
    process.exit(1);
  }
  isStopping = true;
  setTimeout(
    () => {
      logger?.error(`The server did not stop within ${STOP_WITHIN_MS / 1000} seconds.`, 'Main');
      running?.kill?.();
      process.exit(1);
    },
    STOP_WITHIN_MS + (settings?.shutdownDelayMs ?? 0),
  );
  running.close().then(() => process.exit(0), die);
}

/** For workers: they get a signal to the process group directly, and again from the primary process. */
function stopOnce(): void {
  if (!isStopping) stop();
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
