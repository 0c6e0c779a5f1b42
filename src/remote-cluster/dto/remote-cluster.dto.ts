import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isJsonObject } from '../../platform/common/json.js';

const STANDINGS = ['invited', 'online', 'offline', 'deleted'] as const;

/** Fields of a connection that depend on the current time and the settings. */
export interface Standing {
  readonly standing: (typeof STANDINGS)[number];
  readonly standing_since: number;
  readonly invite_expires_at: number;
}

/**
 * A secure connection per contract (docs/contract/secure-connections.md#record). Its secrets never leave the
 * server.
 */
export class RemoteClusterDto {
  @ApiProperty({ description: 'The same on both servers.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  remote_id: string;
  @ApiProperty({ description: 'Always empty; kept for old clients.', example: '' }) remote_team_id: string;
  @ApiProperty({ example: 'branch-office' }) name: string;
  @ApiProperty({ example: 'Branch office' }) display_name: string;
  @ApiProperty({
    description: 'The URL of the peer; `pending_…` until it has confirmed.',
    example: 'https://chat.example.com',
  })
  site_url: string;
  @ApiProperty({ description: 'The team for channels of the peer.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  default_team_id: string;
  @ApiProperty({ description: 'Milliseconds since the epoch.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'Time of deletion; 0: not deleted.', example: 0 }) delete_at: number;
  @ApiProperty({ description: 'When the peer last answered our ping.', example: 1764633600000 })
  last_ping_at: number;
  @ApiProperty({ description: 'Always 0: users are not synchronised globally.', example: 0 })
  last_global_user_sync_at: number;
  @ApiProperty({ description: 'Always empty: a secret.', example: '' }) token: string;
  @ApiProperty({ description: 'Always empty: a secret.', example: '' }) remote_token: string;
  @ApiProperty({ example: '' }) topics: string;
  @ApiProperty({ description: 'The user who created or accepted it.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' })
  creator_id: string;
  @ApiProperty({ example: '' }) plugin_id: string;
  @ApiProperty({ example: 0 }) options: number;
  @ApiProperty({
    enum: STANDINGS,
    description: '`invited`: the peer has not accepted. `online`: it answers pings.',
    example: 'online',
  })
  standing: Standing['standing'];
  @ApiProperty({
    description: 'Start of this state; for an offline peer, when it last answered.',
    example: 1764633600000,
  })
  standing_since: number;
  @ApiProperty({ description: 'When the newest invite expires; 0: accepted.', example: 0 })
  invite_expires_at: number;
  @ApiProperty({
    description: 'When the peer last called this server, to within ten seconds; 0: unknown.',
    example: 1764633600000,
  })
  last_heard_at: number;

  static from(cluster: RemoteCluster, standing: Standing): RemoteClusterDto {
    return { ...recordOf(cluster), ...standing, last_heard_at: cluster.lastHeardAt };
  }
}

/** The time-independent fields of the contract's record; the audit log keeps some of them. */
type ClusterRecord = Omit<RemoteClusterDto, keyof Standing | 'last_heard_at'>;

/** The record of a connection, without its secrets. */
export function recordOf(cluster: RemoteCluster): ClusterRecord {
  return {
    remote_id: cluster.remoteId,
    remote_team_id: '',
    name: cluster.name,
    display_name: cluster.displayName,
    site_url: cluster.siteUrl,
    default_team_id: cluster.defaultTeamId,
    create_at: cluster.createAt,
    delete_at: cluster.deleteAt,
    last_ping_at: cluster.lastPingAt,
    last_global_user_sync_at: 0,
    token: '',
    remote_token: '',
    topics: cluster.topics,
    creator_id: cluster.creatorId,
    plugin_id: cluster.pluginId,
    options: cluster.options,
  };
}

/** The response to a creation. Send the invite and its password over separate channels. */
export class CreatedRemoteClusterDto {
  @ApiProperty({ type: RemoteClusterDto }) remote_cluster: RemoteClusterDto;
  @ApiProperty({
    description: 'The invite for the administrator of the peer.',
    example: 'AAECAwQFBgc…PPzc8Q==',
  })
  invite: string;
  @ApiPropertyOptional({
    description: 'Decrypts the invite. Only if the server generated it, and only in this response.',
    example: 'qJ3fX0aLw8Zr5TnB',
  })
  password?: string;

  static from(cluster: RemoteClusterDto, invite: string, password?: string): CreatedRemoteClusterDto {
    return { remote_cluster: cluster, invite, password };
  }
}

/** The result of a connection check (docs/contract/secure-connections.md#check). */
export class CheckedPeerDto {
  @ApiProperty({ description: 'Whether the peer has answered a ping just now.', example: true })
  is_reached: boolean;
  @ApiProperty({ description: 'Why it was not reached; empty if it was.', example: '' }) error: string;
  @ApiProperty({ description: 'Duration of the ping until its response or failure.', example: 23 })
  round_trip_ms: number;
  @ApiPropertyOptional({
    description: 'How far the clock of the peer is ahead; absent if unknown.',
    example: 4,
  })
  clock_skew_ms?: number;
  @ApiProperty({ example: 1764633600000 }) checked_at: number;
  @ApiProperty({
    description: 'When the peer last called this server, to within ten seconds; 0: unknown.',
    example: 1764633590000,
  })
  last_heard_at: number;
  @ApiProperty({
    description:
      'The peer responds, but has not called for longer than its ping interval: it probably cannot reach this server.',
    example: false,
  })
  is_silent: boolean;
  @ApiProperty({
    description: 'The URL of this server that the peer was given; empty if unknown.',
    example: 'https://hooks.example.com',
  })
  given_site_url: string;
  @ApiProperty({
    description: 'The current `SITE_URL`; empty if it is not set.',
    example: 'https://hooks.example.com',
  })
  site_url: string;
  @ApiProperty({ description: 'What to do, as text; empty without problems.', example: '' })
  advice: string;
}

class FrameMessageDto {
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiProperty({ example: 'ping' }) topic: string;
  @ApiPropertyOptional({ example: 1764633600000 }) create_at?: number;
  @ApiProperty({
    description: 'The data, depending on the topic.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { sent_at: 1764633600000, recv_at: 0 },
  })
  payload: unknown;
}

/** A message between servers. */
export class FrameDto {
  @ApiProperty({ description: 'The connection.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) remote_id: string;
  @ApiProperty({ type: FrameMessageDto }) msg: FrameMessageDto;
}

/** The response to a ping. */
export class PeerPingDto {
  @ApiProperty({ description: 'As the peer has sent it.', example: 1764633600000 }) sent_at: number;
  @ApiProperty({ description: 'Our clock.', example: 1764633600005 }) recv_at: number;

  /** Throws InvalidBodyParam unless the payload is null or an object whose optional `sent_at` is a time. */
  static to(payload: unknown, now: number): PeerPingDto {
    if (payload === null) return { sent_at: 0, recv_at: now };
    const sentAt: unknown = isJsonObject(payload) ? (payload['sent_at'] ?? 0) : undefined;
    if (typeof sentAt !== 'number' || !Number.isSafeInteger(sentAt))
      throw new InvalidBodyParam('msg.payload', 'it must be an object with the time sent_at');
    return { sent_at: sentAt, recv_at: now };
  }
}

/** The response to a message. */
export class MessageAnswerDto {
  @ApiProperty({ enum: ['OK', 'FAIL'], example: 'OK' }) status: 'OK' | 'FAIL';
  @ApiProperty({ description: 'Why it failed.', example: '' }) err: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  payload: Record<string, unknown> | null;
}
