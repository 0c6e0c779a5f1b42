import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/common/clock.js';
import { RemoteClusterDto, type Standing } from './dto/remote-cluster.dto.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { isOnline } from './remote-cluster.rules.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';

/** Connections as they are answered: with how they stand now. */
@Injectable()
export class RemoteClusterViews {
  constructor(
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
  ) {}

  of(cluster: RemoteCluster): RemoteClusterDto {
    const { inviteTtlMs } = this.settings;
    const isPending = cluster.state === 'pending' && cluster.deleteAt === 0;
    const expiresAt = isPending ? cluster.inviteIssuedAt + inviteTtlMs : 0;
    return RemoteClusterDto.from(cluster, { ...this.standingOf(cluster), invite_expires_at: expiresAt });
  }

  private standingOf(cluster: RemoteCluster): Omit<Standing, 'invite_expires_at'> {
    const { state, createAt, deleteAt, inviteIssuedAt, lastPingAt, presenceSince } = cluster;
    if (deleteAt > 0) return { standing: 'deleted', standing_since: deleteAt };
    if (state === 'pending') return { standing: 'invited', standing_since: inviteIssuedAt };
    const confirmedAt = presenceSince || createAt;
    return isOnline(cluster, this.clock.now(), this.settings.peerOfflineAfterMs)
      ? { standing: 'online', standing_since: confirmedAt }
      : { standing: 'offline', standing_since: lastPingAt || confirmedAt };
  }
}
