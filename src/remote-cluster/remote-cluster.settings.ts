import { type AboutSettings, type Env, readBoolean, readDuration } from '../platform/config/parse.js';

const DAY_MS = 86_400_000;

/** The settings of secure connections. Throws SettingError naming the variable. */
export class RemoteClusterSettings {
  /** The rows of docs/settings.md. */
  static readonly about: AboutSettings = {
    Features: { ENABLE_REMOTE_CLUSTERS: 'Secure connections and shared channels' },
    'Secure connections': {
      PEER_PING_INTERVAL: 'How often each peer is pinged',
      PEER_OFFLINE_AFTER: 'A peer that has not answered for this long is offline',
      INVITE_TTL: 'How long an invite can be confirmed after it was issued',
      LEGACY_INVITES:
        'Create invites that Mattermost servers before version 11 can read; such invites are always accepted',
    },
  };

  readonly enableRemoteClusters: boolean;
  readonly peerPingIntervalMs: number;
  /** A peer is offline if its last answer to a ping is older than this. */
  readonly peerOfflineAfterMs: number;
  /** How long an invite can be confirmed after it was issued. */
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
