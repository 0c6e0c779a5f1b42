import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import type { CheckedPeerDto } from '../dto/checked-peer.dto.js';
import { type PingOutcome, PingsService } from '../pings/pings.service.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { checkIsRunning, notConfirmed } from '../remote-clusters.errors.js';
import { trimSiteUrl } from '../site-url.js';
import { CheckLimiter } from './check-limiter.js';
import { adviceOn } from './check-advice.js';

/** For so long a check waits for a ping that is under way, which a peer that answers does not take. */
const WAIT_MS = 5_000;
const LOOK_EACH_MS = 100;
/** How often servers of Mattermost ping, and Hookline unless it is told otherwise. */
const USUAL_INTERVAL_MS = 60_000;
/** A ping may be late, and its note says the time to within seconds. */
const LATE_MS = 30_000;

/** Tries a connection now, both ways as far as this server can tell (docs/contract/secure-connections.md#check). */
@Injectable()
export class ChecksService {
  private readonly startedAt: number;

  constructor(
    private readonly clusters: RemoteClusterRecords,
    private readonly pings: PingsService,
    private readonly limiter: CheckLimiter,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    private readonly platform: Settings,
  ) {
    this.startedAt = clock.now();
  }

  /** Throws RemoteClusterNotFound, `notConfirmed`, `tooManyChecks` and `checkIsRunning`. */
  async check(remoteId: string): Promise<CheckedPeerDto> {
    const cluster = await this.clusters.getLive(remoteId);
    if (cluster.state !== 'confirmed') throw notConfirmed();
    this.limiter.take(cluster.id, this.clock.now());
    const outcome = await this.ping(cluster);
    const { lastHeardAt, ownSiteUrl } = await this.clusters.get(remoteId);
    const now = this.clock.now();
    const heard = {
      isSilent: outcome.isAnswered && this.isSilent(cluster.createAt, lastHeardAt, now),
      givenUrl: ownSiteUrl,
      ownUrl: this.platform.siteUrl === undefined ? '' : trimSiteUrl(this.platform.siteUrl),
    };
    return {
      is_reached: outcome.isAnswered,
      error: outcome.error,
      round_trip_ms: Math.round(outcome.roundTripMs),
      ...(outcome.skewMs !== undefined && { clock_skew_ms: Math.round(outcome.skewMs) }),
      checked_at: now,
      last_heard_at: lastHeardAt,
      is_silent: heard.isSilent,
      given_site_url: heard.givenUrl,
      site_url: heard.ownUrl,
      advice: adviceOn(outcome, heard),
    };
  }

  /** Waits for a ping of the usual round, here or in another process, and pings again. */
  private async ping(cluster: RemoteCluster): Promise<PingOutcome> {
    const startedAt = performance.now();
    do {
      const outcome = await this.pings.pingNow(cluster);
      if (outcome) return outcome;
      await sleep(LOOK_EACH_MS);
    } while (performance.now() - startedAt < WAIT_MS);
    throw checkIsRunning();
  }

  /** Whether the peer should have called by now: not before it could, nor while nobody was there to hear it. */
  private isSilent(createdAt: number, lastHeardAt: number, now: number): boolean {
    const since = Math.max(lastHeardAt, createdAt, this.startedAt);
    return now - since > Math.max(this.settings.peerPingIntervalMs, USUAL_INTERVAL_MS) + LATE_MS;
  }
}
