import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RemoteCluster } from '../remote-cluster.entity.js';

/** How a connection stands (docs/contract/secure-connections.md#standing). */
export const STANDINGS = ['invited', 'online', 'offline', 'deleted'] as const;

/** What of a connection depends on the time and the settings. */
export interface Standing {
  readonly standing: (typeof STANDINGS)[number];
  readonly standing_since: number;
  readonly invite_expires_at: number;
}

/**
 * A secure connection as the contract shows it (docs/contract/secure-connections.md#record). Its secrets never leave
 * the server.
 */
export class RemoteClusterDto {
  @ApiProperty({ description: 'The same on both servers.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  remote_id: string;
  @ApiProperty({ description: 'Always empty; kept for old clients.', example: '' }) remote_team_id: string;
  @ApiProperty({ example: 'branch-office' }) name: string;
  @ApiProperty({ example: 'Branch office' }) display_name: string;
  @ApiProperty({
    description: 'Where the peer is; `pending_…` until it has confirmed.',
    example: 'https://chat.example.com',
  })
  site_url: string;
  @ApiProperty({
    description: 'The team in which channels of the peer appear.',
    example: 'm4agnt8dxtywdgcmo9nwx5kk8w',
  })
  default_team_id: string;
  @ApiProperty({ description: 'Milliseconds since the epoch.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'Above 0: deleted since.', example: 0 }) delete_at: number;
  @ApiProperty({ description: 'When the peer last answered a ping of ours.', example: 1764633600000 })
  last_ping_at: number;
  @ApiProperty({ description: 'Always 0: there is no synchronisation of all users.', example: 0 })
  last_global_user_sync_at: number;
  @ApiProperty({ description: 'Always empty: a secret.', example: '' }) token: string;
  @ApiProperty({ description: 'Always empty: a secret.', example: '' }) remote_token: string;
  @ApiProperty({ example: '' }) topics: string;
  @ApiProperty({ description: 'Who made or accepted it.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' })
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
    description: 'Since when it stands so: of a peer that is offline, when it last answered.',
    example: 1764633600000,
  })
  standing_since: number;
  @ApiProperty({ description: 'Until when the newest invite can be accepted; 0: it was.', example: 0 })
  invite_expires_at: number;
  @ApiProperty({
    description: 'When the peer last called this server, to within ten seconds; 0: not known.',
    example: 1764633600000,
  })
  last_heard_at: number;

  static from(cluster: RemoteCluster, standing: Standing): RemoteClusterDto {
    return { ...recordOf(cluster), ...standing, last_heard_at: cluster.lastHeardAt };
  }
}

/** What the contract says of a record at any time: the audit log keeps parts of it. */
export type ClusterRecord = Omit<RemoteClusterDto, keyof Standing | 'last_heard_at'>;

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

/** The answer to a creation: send the invite and its password by different ways. */
export class CreatedRemoteClusterDto {
  @ApiProperty({ type: RemoteClusterDto }) remote_cluster: RemoteClusterDto;
  @ApiProperty({
    description: 'To be given to the administrator of the peer.',
    example: 'AAECAwQFBgc…PPzc8Q==',
  })
  invite: string;
  @ApiPropertyOptional({
    description: 'Opens the invite. Only when the server made it, and only now.',
    example: 'qJ3fX0aLw8Zr5TnB',
  })
  password?: string;

  static from(cluster: RemoteClusterDto, invite: string, password?: string): CreatedRemoteClusterDto {
    return { remote_cluster: cluster, invite, password };
  }
}
