import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/common/clock.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { UserRecords } from '../messaging/users/user-records.js';
import type { CreateRemoteClusterDto } from './dto/write-remote-cluster.dto.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { cleanDisplayName, cleanName, requireValidCluster } from './remote-cluster.rules.js';

/** Peers take no longer one. */
const MAX_SITE_URL_LENGTH = 512;

type Input = Pick<CreateRemoteClusterDto, 'name' | 'display_name' | 'default_team_id' | 'creator_id'>;
type Handshake = Pick<
  RemoteCluster,
  'id' | 'remoteId' | 'state' | 'siteUrl' | 'ownSiteUrl' | 'tokenHash' | 'sealedToken' | 'sealedRemoteToken'
>;

/** Builds new secure connections, for the inviter and for the acceptor. */
@Injectable()
export class RemoteClusterFactory {
  constructor(
    private readonly users: UserRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * Combines what an administrator has sent with what the handshake has fixed. Stores nothing. Throws InvalidBodyParam
   * and ValidationFailed.
   */
  async build(actor: Actor, input: Input, handshake: Handshake): Promise<RemoteCluster> {
    const now = this.clock.now();
    const name = input.name;
    const cluster = {
      liveId: handshake.remoteId,
      ...handshake,
      ownSiteUrl: handshake.ownSiteUrl.slice(0, MAX_SITE_URL_LENGTH),
      name: cleanName(name),
      displayName: cleanDisplayName(input.display_name) || cleanDisplayName(name),
      defaultTeamId: input.default_team_id,
      createAt: now,
      deleteAt: 0,
      lastPingAt: 0,
      lastHeardAt: 0,
      presenceSince: 0,
      pingedUntil: 0,
      isAnnouncedOnline: false,
      topics: '',
      creatorId: await this.creatorOf(actor, input.creator_id),
      pluginId: '',
      options: 0,
      inviteIssuedAt: now,
    };
    requireValidCluster(cluster);
    return cluster;
  }

  private async creatorOf(actor: Actor, creatorId: string): Promise<string> {
    if (actor.kind === 'user') return actor.userId;
    if (creatorId === '')
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the creator must be named');
    if (!(await this.users.find(creatorId)))
      throw new InvalidBodyParam('creator_id', 'there is no such user');
    return creatorId;
  }
}
