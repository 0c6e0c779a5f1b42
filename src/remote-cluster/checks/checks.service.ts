import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SharedCount, SharedCounts } from '../../platform/scaling/shared-counts.js';
import { checkIsRunning, notConfirmed, tooManyChecks } from '../remote-clusters.errors.js';
import { type PingOutcome, PingsService } from '../pings/pings.service.js';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import type { CheckedPeerDto } from '../dto/remote-cluster.dto.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { trimSiteUrl } from '../remote-cluster.rules.js';

const CHECKS = { max: 6, windowMs: 60_000 };
const MAX_CONNECTIONS = 1_000;

/** Limits checks: a peer must not be called as often as somebody presses a button. */
@Injectable()
export class CheckLimiter {
  private readonly checks: SharedCount;

  constructor(counts: SharedCounts) {
    this.checks = counts.open('peer checks', MAX_CONNECTIONS);
  }

  /** Throws `tooManyChecks` for the seventh check of a connection within the minute that began with the first. */
  take(rowId: string, now: number): void {
    const waitMs = this.checks.waitMs(rowId, CHECKS, now);
    if (waitMs > 0) throw tooManyChecks(Math.ceil(waitMs / 1000));
    this.checks.note(rowId, CHECKS, now);
  }
}

/** What is known of the way back: from the peer to this server. */
interface WayBack {
  /** The peer has not called for longer than between its pings. */
  readonly isSilent: boolean;
  /** The address of this server that the peer was given; empty if that was not kept. */
  readonly givenUrl: string;
  readonly ownUrl: string;
}

/** A clock that is further off than this confuses the order of messages. */
const MAX_SKEW_MS = 10_000;
const OF_STATUS: Readonly<Record<number, string>> = {
  401: 'The other server does not know this connection: it was deleted there, or a proxy takes its headers away. If it was deleted, delete it here and connect anew.',
  404: 'At this address there is no server with secure connections. Look at the address of the other server and at the proxy in front of it.',
  501: 'Secure connections are switched off on the other server: its administrator can switch them on.',
};

/** One or two sentences on what to do; empty when all is well. */
function adviceOn(outcome: PingOutcome, { isSilent, givenUrl, ownUrl }: WayBack): string {
  if (!outcome.isAnswered)
    return (
      OF_STATUS[outcome.status] ??
      'This server cannot reach the other one. Ask its administrator whether it runs, and whether a firewall or proxy stands between.'
    );
  const hasMoved = givenUrl !== '' && givenUrl !== ownUrl;
  if (isSilent)
    return hasMoved
      ? `The other server answers, but has not called. It was given the address ${givenUrl}, and SITE_URL is ${ownUrl || 'not set'} now: connect anew, or serve the former address as well.`
      : `The other server answers, but has not called for longer than between its pings. It probably cannot reach ${ownUrl || 'this server, whose SITE_URL is not set'}: look at SITE_URL, and at firewalls on the way from there.`;
  if (Math.abs(outcome.skewMs ?? 0) > MAX_SKEW_MS)
    return 'The clocks of the two servers differ: set both by NTP.';
  return '';
}

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
