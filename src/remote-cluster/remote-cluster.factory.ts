import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Clock } from '../platform/common/clock.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { UsersService } from '../messaging/users/users.service.js';
import type { CreateRemoteClusterDto } from './dto/write-remote-cluster.dto.js';
import { RemoteCluster } from './remote-cluster.entity.js';
import { cleanDisplayName, cleanName, requireValidCluster } from './remote-cluster.rules.js';
import { sealedPlaces } from '../platform/database/sealed-columns.js';
import { SecretBox } from '../platform/secrets/secret-box.js';

/** Peers accept at most this length. */
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
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Combines the administrator's input with the values fixed by the handshake. Stores nothing. Throws
   * InvalidBodyParam and ValidationFailed.
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
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the creator must be given');
    if (!(await this.users.find(creatorId)))
      throw new InvalidBodyParam('creator_id', 'the user does not exist');
    return creatorId;
  }
}

/** Longer tokens are truncated to this length, as in Mattermost. */
const MAX_TOKEN_LENGTH = 50;
const PLACES = {
  token: sealedPlaces(RemoteCluster, 'sealedToken'),
  remoteToken: sealedPlaces(RemoteCluster, 'sealedRemoteToken'),
};

/** The tokens of secure connections: those sent to peers are stored sealed, those expected from peers as hashes. */
@Injectable()
export class RemoteClusterTokens {
  /** Opened tokens, because opening is slow. Keyed by record: records are replaced, never changed. */
  private readonly opened = new WeakMap<RemoteCluster, string>();

  constructor(private readonly box: SecretBox) {}

  hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  /** Whether the token matches the connection, compared in constant time. */
  matches(cluster: Pick<RemoteCluster, 'tokenHash'>, token: string): boolean {
    const shown = createHash('sha256').update(token.slice(0, MAX_TOKEN_LENGTH)).digest();
    const known = Buffer.from(cluster.tokenHash, 'hex');
    return known.length === shown.length && timingSafeEqual(known, shown);
  }

  /** Seals the invite token of the connection with this row id. */
  sealInviteToken(id: string, token: string): string {
    return this.box.seal(token, PLACES.token(id));
  }

  /** Seals the token that the peer expects on the connection with this row id. */
  sealRemoteToken(id: string, token: string): string {
    return this.box.seal(token, PLACES.remoteToken(id));
  }

  /** The token in the invite. Throws SecretUnreadable. */
  inviteToken({ id, sealedToken }: RemoteCluster): string {
    return this.box.open(sealedToken, PLACES.token(id));
  }

  /** The token that the peer expects from us. Throws SecretUnreadable. */
  remoteToken(cluster: RemoteCluster): string {
    let token = this.opened.get(cluster);
    if (token === undefined) {
      token = this.box.open(cluster.sealedRemoteToken, PLACES.remoteToken(cluster.id));
      this.opened.set(cluster, token);
    }
    return token;
  }
}
