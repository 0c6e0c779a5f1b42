import { type Env, readBoolean, readDuration } from '../platform/config/parse.js';

const DAY_MS = 86_400_000;

/** The settings of secure connections. Throws SettingError naming the variable. */
export class RemoteClusterSettings {
  readonly enableRemoteClusters: boolean;
  readonly peerPingIntervalMs: number;
  /** A peer is offline if its last answer to a ping is older. */
  readonly peerOfflineAfterMs: number;
  /** How long after its issue an invite can be confirmed. */
  readonly inviteTtlMs: number;
  /** Issue invites of version 2, for peers that cannot read version 3. */
  readonly legacyInvites: boolean;

  constructor(env: Env) {
    this.enableRemoteClusters = readBoolean(env, 'ENABLE_REMOTE_CLUSTERS', true);
    this.peerPingIntervalMs = readDuration(env, 'PEER_PING_INTERVAL', '60s', 50, DAY_MS);
    this.peerOfflineAfterMs = readDuration(env, 'PEER_OFFLINE_AFTER', '5m', 50, 30 * DAY_MS);
    this.inviteTtlMs = readDuration(env, 'INVITE_TTL', '48h', 1, 365 * DAY_MS);
    this.legacyInvites = readBoolean(env, 'LEGACY_INVITES', false);
  }
}
