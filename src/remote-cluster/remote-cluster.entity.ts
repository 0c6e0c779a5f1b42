import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  LongTextColumn,
  PrimaryIdColumn,
  Sealed,
  TextColumn,
} from '../platform/database/columns.js';

/**
 * `pending`: the peer is invited and has not confirmed. `confirming`: this server is accepting an invite; if it crashes,
 * the next start removes the row.
 */
export type ConnectionState = 'pending' | 'confirming' | 'confirmed';

/**
 * A secure connection to another server (docs/contract/secure-connections.md#record). Both servers use the
 * same `remoteId`.
 */
@Entity('remote_clusters')
@Index('ux_remote_clusters_live', ['liveId'], { unique: true })
@Index('ix_remote_clusters_remote', ['remoteId', 'createAt'])
export class RemoteCluster {
  /** Identifies the row. A `remoteId` may have deleted rows in addition to the live one. */
  @PrimaryIdColumn() id: string;
  @IdColumn() remoteId: string;
  /** `remoteId` of a live row, `id` of a deleted one. Unique, so a connection has at most one live row. */
  @IdColumn() liveId: string;
  @TextColumn(16) state: ConnectionState;
  @TextColumn(64) name: string;
  @TextColumn(64) displayName: string;
  /** `pending_` and an id until the peer has confirmed. */
  @TextColumn(512) siteUrl: string;
  @IdColumn() defaultTeamId: string;
  @BigColumn() createAt: number;
  @BigColumn() deleteAt: number;
  @BigColumn() lastPingAt: number;
  /** When the peer last called this server, accurate to seconds. */
  @BigColumn({ default: 0 }) lastHeardAt: number;
  /** When the peer was confirmed or last came online. */
  @BigColumn({ default: 0 }) presenceSince: number;
  /** The address of this server that the peer was given. */
  @TextColumn(512, { default: '' }) ownSiteUrl: string;
  /** The deadline of the ping in progress, set by the process that makes it. */
  @BigColumn({ default: 0 }) pingedUntil: number;
  /** Whether the last announcement said that the peer is online. */
  @BooleanColumn({ default: false }) isAnnouncedOnline: boolean;
  @TextColumn(512) topics: string;
  @IdColumn() creatorId: string;
  @TextColumn(190) pluginId: string;
  @IntColumn() options: number;
  /** When the newest invite was issued; its expiry is measured from here. */
  @BigColumn() inviteIssuedAt: number;
  /** SHA-256 of the token that the peer sends, in hexadecimal. */
  @TextColumn(64) tokenHash: string;
  /** The same token, recoverable for further invites. Empty unless `pending`. */
  @Sealed() @LongTextColumn() sealedToken: string;
  /** The token that is sent to the peer. Empty while `pending`. */
  @Sealed() @LongTextColumn() sealedRemoteToken: string;
}
