import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { sealedPlaces } from '../platform/database/sealed-columns.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { RemoteCluster } from './remote-cluster.entity.js';

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

  sealInviteToken(id: string, token: string): string {
    return this.box.seal(token, PLACES.token(id));
  }

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
