import { createHash } from 'node:crypto';
import { userOf } from './channels.tables.js';
import type { MattermostDatabase } from './source.js';
import { Left, type TableImport } from './table-import.js';

const CLUSTER_COLUMNS = [
  ...[
    'RemoteId',
    'Name',
    'DisplayName',
    'SiteURL',
    'CreateAt',
    'LastPingAt',
    'Token',
    'RemoteToken',
    'Topics',
  ],
  ...['CreatorId', 'PluginID', 'Options', 'DefaultTeamId', 'DeleteAt'],
];

/** The connections that are imported, and the channels that are shared over them. */
export async function readConnections(source: MattermostDatabase) {
  const clusters = await source.rows('RemoteClusters', CLUSTER_COLUMNS);
  const remotes = new Set(
    clusters
      .filter((row) => !row['PluginID'] && !Number(row['DeleteAt']) && row['Token'] && row['RemoteToken'])
      .filter((row) => !String(row['SiteURL'] ?? '').startsWith('pending_'))
      .map((row) => String(row['RemoteId'])),
  );
  const shares = await source.rows('SharedChannelRemotes', ['ChannelId', 'RemoteId', 'DeleteAt']);
  const live = shares.filter((row) => remotes.has(String(row['RemoteId'])) && !Number(row['DeleteAt']));
  return { remotes, sharedChannels: new Set(live.map((row) => String(row['ChannelId']))) };
}

export const clustersTable: TableImport<'RemoteCluster'> = {
  from: 'RemoteClusters',
  to: 'RemoteCluster',
  key: ['RemoteId'],
  keyHere: ['id'],
  name: 'Name',
  columns: CLUSTER_COLUMNS,
  kept: ['lastPingAt', 'lastHeardAt', 'presenceSince', 'ownSiteUrl', 'pingedUntil', 'isAnnouncedOnline'],
  map(fields, world) {
    const remoteId = fields.id('RemoteId');
    if (remoteId === '') return new Left('malformed id');
    if (fields.text('PluginID') !== '') return new Left('it belongs to a plugin');
    if (fields.time('DeleteAt') > 0) return new Left('deleted');
    if (!world.remotes.has(remoteId)) return new Left('not confirmed: invite the other server again');
    const teamId = fields.text('DefaultTeamId');
    return {
      id: remoteId,
      remoteId,
      liveId: remoteId,
      state: 'confirmed',
      name: fields.text('Name', 64),
      displayName: fields.text('DisplayName', 64),
      siteUrl: fields.text('SiteURL', 512),
      defaultTeamId: world.teams.has(teamId) ? teamId : '',
      createAt: fields.time('CreateAt'),
      deleteAt: 0,
      lastPingAt: fields.time('LastPingAt'),
      lastHeardAt: 0,
      presenceSince: 0,
      ownSiteUrl: '',
      pingedUntil: 0,
      isAnnouncedOnline: false,
      topics: fields.text('Topics', 512),
      creatorId: userOf(fields, 'CreatorId', world),
      pluginId: '',
      options: fields.count('Options'),
      inviteIssuedAt: fields.time('CreateAt'),
      tokenHash: createHash('sha256').update(fields.text('Token')).digest('hex'),
      sealedToken: '',
      sealedRemoteToken: fields.text('RemoteToken'),
    };
  },
};

export const sharedChannelsTable: TableImport<'SharedChannel'> = {
  from: 'SharedChannels',
  to: 'SharedChannel',
  key: ['ChannelId'],
  keyHere: ['channelId'],
  name: 'ShareName',
  columns: [
    ...[
      'ChannelId',
      'TeamId',
      'Home',
      'ReadOnly',
      'ShareName',
      'ShareDisplayName',
      'SharePurpose',
      'ShareHeader',
    ],
    ...['CreatorId', 'CreateAt', 'UpdateAt', 'RemoteId'],
  ],
  map(fields, world) {
    const channelId = fields.id('ChannelId');
    const channel = world.channels.get(channelId);
    if (!channel) return new Left('the channel does not exist');
    if (!world.sharedChannels.has(channelId)) return new Left('shared over no imported connection');
    const remoteId = fields.flag('Home') ? '' : fields.id('RemoteId');
    world.foreignChannels.set(channelId, remoteId);
    return {
      channelId,
      teamId: channel.teamId,
      home: fields.flag('Home'),
      readonly: fields.flag('ReadOnly'),
      name: fields.text('ShareName', 64),
      displayName: fields.text('ShareDisplayName', 64),
      purpose: fields.text('SharePurpose', 250),
      header: fields.bytes('ShareHeader', 65_535),
      creatorId: userOf(fields, 'CreatorId', world),
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      remoteId,
      type: channel.type,
    };
  },
};

/** Counts the posts that the old server had not sent when it stopped. This one sends them when it starts. */
async function withUnsent(
  rows: Parameters<NonNullable<TableImport['complete']>>[0],
  source: MattermostDatabase,
) {
  const cursor = (row: (typeof rows)[number]): number =>
    Math.max(Number(row['LastPostUpdateAt'] ?? 0), Number(row['LastPostCreateAt'] ?? 0));
  return Promise.all(
    rows.map(async (row) => {
      const own = source.hasColumn('Posts', 'RemoteId') ? "AND COALESCE(RemoteId, '') <> ?" : '';
      const after = `WHERE ChannelId = ? AND UpdateAt > ? AND DeleteAt = 0 ${own}`;
      const [unsent] = await source.ask('Posts', 'SELECT COUNT(*) AS count', after, [
        ...[row['ChannelId'], cursor(row), row['RemoteId']],
      ]);
      return { ...row, Unsent: unsent?.['count'] };
    }),
  );
}

export const sharesTable: TableImport<'SharedChannelRemote'> = {
  from: 'SharedChannelRemotes',
  to: 'SharedChannelRemote',
  key: ['Id'],
  keyHere: ['id'],
  name: 'ChannelId',
  columns: [
    ...['Id', 'ChannelId', 'RemoteId', 'CreatorId', 'CreateAt', 'UpdateAt', 'DeleteAt', 'IsInviteAccepted'],
    ...['IsInviteConfirmed', 'LastPostUpdateAt', 'LastPostId', 'LastPostCreateAt', 'LastPostCreateID'],
  ],
  complete: withUnsent,
  map(fields, world) {
    const [id, channelId, remoteId] = [fields.id('Id'), fields.id('ChannelId'), fields.id('RemoteId')];
    if (!world.channels.has(channelId)) return new Left('the channel does not exist');
    if (!world.remotes.has(remoteId)) return new Left('the connection is not imported');
    if (fields.time('DeleteAt') > 0) return new Left('deleted');
    const unsent = fields.count('Unsent');
    if (unsent > 0) fields.note('posts of a shared channel that this server will send', String(unsent));
    return {
      id,
      channelId,
      remoteId,
      creatorId: userOf(fields, 'CreatorId', world),
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt: 0,
      isFromPeer: world.foreignChannels.get(channelId) === remoteId,
      isWithdrawn: false,
      isInviteAccepted: fields.flag('IsInviteAccepted'),
      isInviteConfirmed: fields.flag('IsInviteConfirmed'),
      inviteError: '',
      lastPostUpdateAt: fields.time('LastPostUpdateAt'),
      lastPostId: fields.id('LastPostId'),
      lastPostCreateAt: fields.time('LastPostCreateAt'),
      lastPostCreateId: fields.id('LastPostCreateID'),
      isBehind: unsent > 0,
    };
  },
};
