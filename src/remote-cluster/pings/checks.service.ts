import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SharedCount, SharedCounts } from '../../platform/scaling/shared-counts.js';
import { checkIsRunning, notConfirmed, tooManyChecks } from '../remote-clusters.errors.js';
import { type PingOutcome, PingsService } from './pings.service.js';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import type { CheckedPeerDto } from '../dto/remote-cluster.dto.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { trimSiteUrl } from '../remote-cluster.rules.js';

const CHECKS = { max: 6, windowMs: 60_000 };
const MAX_CONNECTIONS = 1_000;

/** A clock skew larger than this breaks the order of messages. */
const MAX_SKEW_MS = 10_000;
const ADVICE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'The other server does not know this connection: it was deleted there, or a proxy removes its headers. If it was deleted, delete it here and connect again.',
  404: 'There is no server with secure connections at this URL. Check the URL of the other server and the proxy in front of it.',
  501: 'Secure connections are disabled on the other server: its administrator can enable them.',
};

/** One or two sentences of advice; empty if there are no problems. */
function adviceOn(outcome: PingOutcome, isSilent: boolean, givenUrl: string, ownUrl: string): string {
  if (!outcome.isAnswered)
    return (
      ADVICE_BY_STATUS[outcome.status] ??
      'This server cannot reach the other one. Ask its administrator whether it is running, and check firewalls and proxies in between.'
    );
  const hasMoved = givenUrl !== '' && givenUrl !== ownUrl;
  if (isSilent)
    return hasMoved
      ? `The other server responds, but has not called. It was given the URL ${givenUrl}, and SITE_URL is ${ownUrl || 'not set'} now: connect again, or serve the former URL as well.`
      : `The other server responds, but has not called for longer than its ping interval. It probably cannot reach ${ownUrl || 'this server, whose SITE_URL is not set'}: check SITE_URL, and firewalls in between.`;
  if (Math.abs(outcome.skewMs ?? 0) > MAX_SKEW_MS)
    return 'The clocks of the two servers differ: synchronise both by NTP.';
  return '';
}

/** How long a check waits for a ping in progress; a responsive peer answers sooner. */
const WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 100;
/** The ping interval of Mattermost servers, and the default of Hookline. */
const USUAL_INTERVAL_MS = 60_000;
/** Pings may be late, and their recorded times are accurate only to seconds. */
const LATE_MS = 30_000;

/** Tests a connection now, in both directions if possible (docs/contract/secure-connections.md#check). */
@Injectable()
export class ChecksService {
  private readonly startedAt: number;
  private readonly checks: SharedCount;

  constructor(
    private readonly clusters: RemoteClusterRecords,
    private readonly pings: PingsService,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    private readonly platform: Settings,
    counts: SharedCounts,
  ) {
    this.startedAt = clock.now();
    this.checks = counts.open('peer checks', MAX_CONNECTIONS);
  }

  /** Throws RemoteClusterNotFound, `notConfirmed`, `tooManyChecks` and `checkIsRunning`. */
  async check(remoteId: string): Promise<CheckedPeerDto> {
    const cluster = await this.clusters.getLive(remoteId);
    if (cluster.state !== 'confirmed') throw notConfirmed();
    this.countCheck(cluster.id);
    const outcome = await this.ping(cluster);
    const { lastHeardAt, ownSiteUrl } = await this.clusters.get(remoteId);
    const now = this.clock.now();
    const isSilent = outcome.isAnswered && this.isSilent(cluster.createAt, lastHeardAt, now);
    const ownUrl = this.platform.siteUrl === undefined ? '' : trimSiteUrl(this.platform.siteUrl);
    return {
      is_reached: outcome.isAnswered,
      error: outcome.error,
      round_trip_ms: Math.round(outcome.roundTripMs),
      ...(outcome.skewMs !== undefined && { clock_skew_ms: Math.round(outcome.skewMs) }),
      checked_at: now,
      last_heard_at: lastHeardAt,
      is_silent: isSilent,
      given_site_url: ownSiteUrl,
      site_url: ownUrl,
      advice: adviceOn(outcome, isSilent, ownSiteUrl, ownUrl),
    };
  }

  /** Keeps a user who clicks a button from flooding a peer with calls. Throws `tooManyChecks`. */
  private countCheck(rowId: string): void {
    const now = this.clock.now();
    const waitMs = this.checks.waitMs(rowId, CHECKS, now);
    if (waitMs > 0) throw tooManyChecks(Math.ceil(waitMs / 1000));
    this.checks.note(rowId, CHECKS, now);
  }

  /** Waits for a regular ping in progress, here or in another process, then pings again. */
  private async ping(cluster: RemoteCluster): Promise<PingOutcome> {
    const startedAt = performance.now();
    do {
      const outcome = await this.pings.pingNow(cluster);
      if (outcome) return outcome;
      await sleep(POLL_INTERVAL_MS);
    } while (performance.now() - startedAt < WAIT_MS);
    throw checkIsRunning();
  }

  /** Whether the peer's next call is overdue since its last call, its creation or this server's startup. */
  private isSilent(createdAt: number, lastHeardAt: number, now: number): boolean {
    const since = Math.max(lastHeardAt, createdAt, this.startedAt);
    return now - since > Math.max(this.settings.peerPingIntervalMs, USUAL_INTERVAL_MS) + LATE_MS;
  }
}
