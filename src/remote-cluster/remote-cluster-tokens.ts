import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../platform/secrets/secret-box.js';
import type { RemoteCluster } from './remote-cluster.entity.js';

/** As the peer's server does: what is behind does not count. */
const MAX_TOKEN_LENGTH = 50;

/** The tokens of secure connections: what we show is sealed, what is shown to us is kept as a hash. */
@Injectable()
export class RemoteClusterTokens {
  /** Opening takes a while; records do not change, they are replaced. */
  private readonly opened = new WeakMap<RemoteCluster, string>();

  constructor(private readonly box: SecretBox) {}

  hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  /** Whether a peer has shown the right token; takes as long for a wrong one. */
  matches(cluster: Pick<RemoteCluster, 'tokenHash'>, token: string): boolean {
    const shown = createHash('sha256').update(token.slice(0, MAX_TOKEN_LENGTH)).digest();
    const known = Buffer.from(cluster.tokenHash, 'hex');
    return known.length === shown.length && timingSafeEqual(known, shown);
  }

  seal(token: string): string {
    return this.box.seal(token);
  }

  /** The token of an invite; throws SecretUnreadable. */
  inviteToken({ sealedToken }: RemoteCluster): string {
    return this.box.open(sealedToken);
  }

  /** What the peer wants to see; throws SecretUnreadable. */
  remoteToken(cluster: RemoteCluster): string {
    let token = this.opened.get(cluster);
    if (token === undefined) {
      token = this.box.open(cluster.sealedRemoteToken);
      this.opened.set(cluster, token);
    }
    return token;
  }
}
