import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  IdColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  Sealed,
  TextColumn,
} from '../platform/database/columns.js';

/** `pending`: invited, not confirmed. `confirming`: an invite is being accepted; a crash leaves it, the next start removes it. */
export type ConnectionState = 'pending' | 'confirming' | 'confirmed';

/**
 * A secure connection to another server (docs/contract/secure-connections.md#record). The peer knows it by
 * `remoteId`, which both share.
 */
@Entity('remote_clusters')
@Index('ux_remote_clusters_live', ['liveId'], { unique: true })
@Index('ix_remote_clusters_remote', ['remoteId', 'createAt'])
export class RemoteCluster {
  /** The key of this row: of one `remoteId` there may be deleted rows beside the live one. */
  @PrimaryIdColumn() id: string;
  @IdColumn() remoteId: string;
  /** `remoteId` while it lives, `id` once it is deleted: at most one row of a connection lives. */
  @IdColumn() liveId: string;
  @TextColumn(16) state: ConnectionState;
  @TextColumn(64) name: string;
  @TextColumn(64) displayName: string;
  /** `pending_…` until the peer has confirmed. */
  @TextColumn(512) siteUrl: string;
  @IdColumn() defaultTeamId: string;
  @BigColumn() createAt: number;
  @BigColumn() deleteAt: number;
  /** Our last successful ping. */
  @BigColumn() lastPingAt: number;
  @TextColumn(512) topics: string;
  @IdColumn() creatorId: string;
  @TextColumn(190) pluginId: string;
  @IntColumn() options: number;
  /** When the newest invite was issued; counts the age of invites. */
  @BigColumn() inviteIssuedAt: number;
  /** SHA-256 of what the peer must show to us, in hexadecimal digits. */
  @TextColumn(64) tokenHash: string;
  /** The same readable, for further invites; empty unless `pending`. */
  @Sealed() @LongTextColumn() sealedToken: string;
  /** What we show to the peer; empty while `pending`. */
  @Sealed() @LongTextColumn() sealedRemoteToken: string;
}
