import { Registry } from 'prom-client';
import { measured, merged, type MetricsService } from '../platform/metrics/metrics.service.js';
import { RemoteClustersCounted } from './remote-cluster.events.js';
import { PeerMetrics } from './peer-metrics.js';
import type { RemoteClusterSettings } from './remote-cluster.settings.js';

const OFFLINE_AFTER_MS = 1_000;
const PING_INTERVAL_MS = 200;

describe('PeerMetrics of several processes', () => {
  const settings = {
    enableRemoteClusters: true,
    peerOfflineAfterMs: OFFLINE_AFTER_MS,
    peerPingIntervalMs: PING_INTERVAL_MS,
  } as RemoteClusterSettings;
  let now: number;
  let processes: { metrics: PeerMetrics; registry: Registry }[];

  beforeEach(() => {
    now = 1_000_000;
    processes = [0, 1].map(() => {
      const registry = new Registry();
      const clock = { now: () => now };
      return { registry, metrics: new PeerMetrics({ registry } as MetricsService, clock, settings) };
    });
  });

  afterEach(() => jest.restoreAllMocks());

  const values = async (name: string): Promise<Record<string, number>> => {
    const all = await Promise.all(processes.map(({ registry }) => measured(registry)));
    const lines = (await merged(all).metrics()).split('\n').filter((line) => line.startsWith(name));
    return Object.fromEntries(lines.map((line) => line.split(' ')).map(([series, n]) => [series, Number(n)]));
  };
  const skew = async (): Promise<number | undefined> =>
    (await values('hookline_peer_clock_skew_seconds'))['hookline_peer_clock_skew_seconds'];
  const [online, offline] = ['hookline_peers{state="online"}', 'hookline_peers{state="offline"}'];

  it('count each peer once, no matter which process has pinged it', async () => {
    expect(await values('hookline_peers')).toEqual({});
    for (const { metrics } of processes) metrics.onCounted(new RemoteClustersCounted(3, 1));
    expect(await values('hookline_peers')).toEqual({ [online]: 3, [offline]: 1 });
    for (const { metrics } of processes) metrics.onCounted(new RemoteClustersCounted(4, 0));
    expect(await values('hookline_peers')).toEqual({ [online]: 4, [offline]: 0 });
  });

  it('are reported by processes with data, while another one has just started', async () => {
    processes[0]!.metrics.onCounted(new RemoteClustersCounted(3, 1));
    expect(await values('hookline_peers')).toEqual({ [online]: 3, [offline]: 1 });
  });

  it('report nothing after a long time without a round', async () => {
    const startedAt = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(startedAt);
    for (const { metrics } of processes) metrics.onCounted(new RemoteClustersCounted(3, 1));
    clock.mockReturnValue(startedAt + 3 * PING_INTERVAL_MS);
    expect(await values('hookline_peers')).toEqual({ [online]: 3, [offline]: 1 });
    clock.mockReturnValue(startedAt + 4 * PING_INTERVAL_MS);
    expect(await values('hookline_peers')).toEqual({});
  });

  it('report a clock that is behind, although others do not know it', async () => {
    processes[0]!.metrics.answered('a', 5, -30_000);
    processes[1]!.metrics.answered('b', 5, 2_000);
    expect(await skew()).toBe(30);
  });

  it('forget a clock that was not seen for a long time', async () => {
    processes[0]!.metrics.answered('a', 5, 30_000);
    now += OFFLINE_AFTER_MS - 1;
    expect(await skew()).toBe(30);
    now += 1;
    expect(await skew()).toBe(0);
  });

  it('forget a deleted peer', async () => {
    const { metrics } = processes[0]!;
    metrics.answered('a', 5, 30_000);
    expect(await skew()).toBe(30);
    metrics.forget('a');
    expect(await skew()).toBe(0);
  });
});
