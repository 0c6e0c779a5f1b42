import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort, ServerProcess } from '../../support/server-process.mjs';

const stopsWithinMs = 12_000;

/**
 * The built server: a free port, an empty data folder, a known administrator, and further `settings`. Returns { url,
 * adminPassword, errors(), stop() }; `stop` throws if the server does not stop correctly.
 */
export async function startRunningServer(settings = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-clients-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const adminPassword = 'only stock clients here';
  const server = new ServerProcess(
    {
      PORT: String(port),
      SITE_URL: url,
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,200ms,200ms,200ms,200ms',
      ...settings,
    },
    // Ignores a .env file of the caller.
    { cwd: folder, isBuilt: true },
  );
  const clean = () => {
    server.signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on('exit', clean);
  await server.ready();
  return {
    url,
    adminPassword,
    errors: () => server.errors,
    stop: async () => {
      try {
        if (server.hasEnded)
          throw new Error(`The server ended before it was asked to.\n${lastLines(server)}`);
        const code = await server.stop(stopsWithinMs);
        if (code !== 0) throw new Error(`The server did not stop cleanly (${code}).\n${lastLines(server)}`);
      } finally {
        clean();
        process.off('exit', clean);
      }
    },
  };
}

function lastLines({ logs }) {
  return logs.slice(-20).join('\n');
}
