import { createServer, type Server } from 'node:net';
import type { AllSettings } from '../platform/config/all-settings.js';
import { Settings } from '../platform/config/settings.js';
import { MetricsSettings } from '../platform/metrics/metrics.settings.js';
import { PortRefused } from './start-failure.js';

/** Throws PortRefused if a port cannot be opened, before anything is made for a server that could not run. */
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

/** Listens on a port. `variable` is the setting that names it. Throws PortRefused. */
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
