import { createHash } from 'node:crypto';
import { idOf, THEN } from '../source-database.mjs';
import {
  ann,
  archived,
  closedTeam,
  gone,
  hasTable,
  isPositive,
  isUtf8,
  missing,
  owner,
  type Row,
  secret,
  team,
  town,
  type Trap,
} from './trap.js';

const FORM = 'application/x-www-form-urlencoded';
const URLS = '["https://example.test/hook"]';
const incoming = (name: string, values: object = {}): Row => [
  'IncomingWebhooks',
  { Id: idOf(name), UserId: ann, ChannelId: town, TeamId: team, DisplayName: name, ...values },
];
const outgoing = (name: string, values: object = {}): Row => [
  'OutgoingWebhooks',
  {
    ...{ Id: idOf(name), Token: idOf(`${name} token`), CreatorId: ann, TeamId: team, ChannelId: town },
    ...{
      TriggerWords: '["deploy"]',
      CallbackURLs: URLS,
      DisplayName: name,
      ContentType: 'application/json',
      ...values,
    },
  },
];
const remote = (name: string, values: object = {}): Row => [
  'RemoteClusters',
  {
    ...{
      RemoteId: idOf(name),
      Name: name.replaceAll(' ', '-'),
      DisplayName: name,
      CreatorId: owner,
      RemoteTeamId: '',
    },
    ...{ SiteURL: `https://${name.replaceAll(' ', '-')}.example.test`, Topics: ' shared_channels_* ' },
    ...{ Token: idOf(`${name} token`), RemoteToken: idOf(`${name} remote token`), ...values },
  },
];
const share = (name: string, values: object = {}): Row => [
  'SharedChannelRemotes',
  {
    ...{ Id: idOf(`share ${name}`), ChannelId: idOf(name), CreatorId: owner, RemoteId: idOf('branch') },
    ...{ IsInviteAccepted: 1, IsInviteConfirmed: 1, ...values },
  },
];
const shared = (name: string, values: object = {}): Row[] => [
  [
    'Channels',
    { Id: idOf(name), Name: name, DisplayName: name, TeamId: team, Type: 'O', CreatorId: owner, Shared: 1 },
  ],
  [
    'SharedChannels',
    {
      ChannelId: idOf(name),
      TeamId: team,
      Home: 1,
      ShareName: name,
      ShareDisplayName: name,
      CreatorId: owner,
      ...values,
    },
  ],
];
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hasConnections = hasTable('RemoteClusters', 45);
const hasShares = hasTable('SharedChannels', 45);
const urlList = (count: number, host = 'example.test'): string =>
  JSON.stringify(Array.from({ length: count }, (_, at) => `https://${host}/${at}`));

/** Webhooks and connections. */
export const hookTraps: readonly Trap[] = [
  {
    name: 'an incoming webhook',
    row: incoming('in', {
      Description: 'built',
      Username: 'robot',
      IconURL: 'https://example.test/i.png',
      ChannelLocked: 1,
      CreateAt: THEN + 1,
    }),
    is: 'moved',
    as: {
      user_id: ann,
      channel_id: town,
      team_id: team,
      display_name: 'in',
      channel_locked: 1,
      create_at: THEN + 1,
      delete_at: 0,
    },
  },
  {
    name: 'a deleted incoming webhook',
    row: incoming('in deleted', { DeleteAt: THEN + 1 }),
    is: 'either',
    as: { delete_at: THEN + 1 },
  },
  {
    name: 'an incoming webhook with NULL in all columns',
    row: ['IncomingWebhooks', { Id: idOf('in null'), isNull: true }],
    is: 'either',
  },
  {
    name: 'an incoming webhook with NULL in all columns except owner, channel and team',
    row: incoming('in bare', { isNull: true, DisplayName: null }),
    is: 'moved',
    as: { display_name: '', description: '', username: '', icon_url: '', channel_locked: 0, delete_at: 0 },
  },
  {
    name: 'an incoming webhook of an archived channel',
    row: incoming('in archived', { ChannelId: archived }),
    is: 'moved',
    as: { channel_id: archived },
  },
  {
    name: 'an incoming webhook of a missing channel',
    row: incoming('in lost', { ChannelId: missing }),
    is: 'either',
  },
  {
    name: 'an incoming webhook of a missing owner',
    row: incoming('in ownerless', { UserId: missing }),
    is: 'moved',
  },
  {
    name: 'an incoming webhook of a deactivated owner',
    row: incoming('in gone', { UserId: gone }),
    is: 'moved',
    as: { user_id: gone },
  },
  {
    name: 'an incoming webhook of an archived team',
    row: incoming('in closed', { TeamId: closedTeam }),
    is: 'either',
  },
  {
    name: 'an incoming webhook of a private channel',
    row: incoming('in private', { ChannelId: secret }),
    is: 'moved',
    as: { channel_id: secret },
  },
  {
    name: 'an incoming webhook with texts that are too long here',
    row: incoming('in long', {
      Username: 'u'.repeat(255),
      Description: 'd'.repeat(2_000),
      IconURL: `https://example.test/${'i'.repeat(3_000)}`,
    }),
    is: 'moved',
  },
  {
    name: 'an incoming webhook with a name of more than 64 bytes',
    row: incoming('in wide', { DisplayName: '🚀'.repeat(64) }),
    is: 'moved',
    as: { display_name: expect.stringMatching(/^(🚀)+/) },
    where: isUtf8,
  },
  {
    name: 'an incoming webhook with an id of another form',
    row: incoming('in odd', { Id: 'not-an-id' }),
    is: 'left',
  },
  ...[
    [0, 2],
    [1, 1],
    [null, 2],
  ].map(([TriggerWhen, when]): Trap => ({
    name: `an outgoing webhook with TriggerWhen ${TriggerWhen}`,
    row: outgoing(`when ${TriggerWhen}`, { TriggerWhen }),
    is: 'moved',
    as: {
      trigger_when: when,
      trigger_words: ['deploy'],
      callback_urls: ['https://example.test/hook'],
      creator_id: ann,
      disabled_at: 0,
    },
  })),
  {
    name: 'an outgoing webhook with an unknown TriggerWhen',
    row: outgoing('when 7', { TriggerWhen: 7 }),
    is: 'either',
  },
  {
    name: 'a deleted outgoing webhook',
    row: outgoing('out deleted', { DeleteAt: THEN + 1 }),
    is: 'either',
    as: { delete_at: THEN + 1 },
  },
  {
    name: 'an outgoing webhook with NULL in all columns',
    row: ['OutgoingWebhooks', { Id: idOf('out null'), isNull: true }],
    is: 'either',
  },
  {
    name: 'an outgoing webhook without a token',
    row: outgoing('out tokenless', { Token: null }),
    is: 'either',
  },
  {
    name: 'an outgoing webhook with an empty content type',
    row: outgoing('out form', { ContentType: '' }),
    is: 'moved',
    as: { content_type: FORM },
  },
  {
    name: 'an outgoing webhook without a content type',
    row: outgoing('out no type', { ContentType: null }),
    is: 'moved',
    as: { content_type: FORM },
  },
  {
    name: 'an outgoing webhook of a channel that has become private',
    row: outgoing('out private', { ChannelId: secret }),
    is: 'moved',
    as: { disabled_at: isPositive, disabled_reason: expect.stringMatching(/private/i) },
    told: /private/i,
  },
  {
    name: 'an outgoing webhook of an archived channel',
    row: outgoing('out archived', { ChannelId: archived }),
    is: 'moved',
  },
  {
    name: 'an outgoing webhook of a missing channel',
    row: outgoing('out lost', { ChannelId: missing }),
    is: 'either',
  },
  {
    name: 'an outgoing webhook of a missing creator',
    row: outgoing('out ownerless', { CreatorId: missing }),
    is: 'moved',
  },
  {
    name: 'an outgoing webhook of a whole team',
    row: outgoing('out team', { ChannelId: '' }),
    is: 'moved',
    as: { channel_id: '' },
  },
  {
    name: 'an outgoing webhook without words',
    row: outgoing('out wordless', { TriggerWords: '[]' }),
    is: 'moved',
    as: { trigger_words: [] },
  },
  {
    name: 'an outgoing webhook of a whole team without words',
    row: outgoing('out nothing', { TriggerWords: '[]', ChannelId: '' }),
    is: 'either',
  },
  {
    name: 'an outgoing webhook with words that are not JSON',
    row: outgoing('out broken', { TriggerWords: '["a"' }),
    is: 'either',
  },
  {
    name: 'an outgoing webhook without URLs',
    row: outgoing('out no url', { CallbackURLs: '[]' }),
    is: 'either',
  },
  {
    name: 'an outgoing webhook with 30 URLs',
    row: outgoing('out many', { CallbackURLs: urlList(30) }),
    is: 'either',
    told: /url/i,
  },
  {
    name: 'an outgoing webhook that calls an internal address',
    row: outgoing('out internal', { CallbackURLs: '["http://10.0.0.7/hook","http://localhost:9/hook"]' }),
    is: 'moved',
    as: { callback_urls: ['http://10.0.0.7/hook', 'http://localhost:9/hook'] },
    told: /internal/i,
  },
  {
    name: 'an outgoing webhook with texts that are too long here',
    row: outgoing('out long', {
      Description: 'd'.repeat(2_000),
      IconURL: `https://example.test/${'i'.repeat(3_000)}`,
    }),
    is: 'moved',
  },
  {
    name: 'an outgoing webhook with an id of another form',
    row: outgoing('out odd', { Id: 'ABC' }),
    is: 'left',
  },
  {
    name: 'a connection',
    row: remote('branch'),
    is: 'moved',
    as: {
      site_url: 'https://branch.example.test',
      state: 'confirmed',
      token_hash: sha256(idOf('branch token')),
      delete_at: 0,
    },
    where: hasConnections,
  },
  {
    name: 'a user of a connection',
    row: [
      'Users',
      {
        Id: idOf('peer user'),
        Username: 'peer:branch',
        Email: 'peer@example.test',
        RemoteId: idOf('branch'),
        Props: '{"RemoteUsername":"peer","RemoteEmail":"peer@branch.test"}',
      },
    ],
    is: 'either',
    as: { remote_id: idOf('branch') },
    where: hasConnections,
  },
  {
    name: 'a pending connection',
    row: remote('pending', { SiteURL: `pending_${idOf('pending site')}`, RemoteToken: '' }),
    is: 'either',
    where: hasConnections,
  },
  {
    name: 'a connection of a plugin',
    row: remote('plugin', { PluginID: 'com.example.msteams' }),
    is: 'left',
    where: (layout) => hasConnections(layout) && layout.version >= 117,
  },
  {
    name: 'a deleted connection',
    row: remote('deleted remote', { DeleteAt: THEN + 1 }),
    is: 'left',
    where: (layout) => hasConnections(layout) && layout.version >= 126,
  },
  {
    name: 'a connection with NULL in all columns',
    row: ['RemoteClusters', { RemoteId: idOf('null remote'), Name: 'null', isNull: true }],
    is: 'left',
    where: hasConnections,
  },
  {
    name: 'a connection to the address of another one',
    row: remote('second branch', { SiteURL: 'https://branch.example.test' }),
    is: 'either',
    where: hasConnections,
  },
  {
    name: 'a shared channel',
    row: [
      'SharedChannels',
      {
        ChannelId: idOf('home'),
        TeamId: team,
        Home: 1,
        ShareName: 'home',
        ShareDisplayName: 'home',
        CreatorId: owner,
      },
    ],
    more: shared('home').slice(0, 1),
    is: 'either',
    as: { home: 1, remote_id: '' },
    where: hasShares,
  },
  {
    name: 'a share with its cursor',
    row: share('cursor', {
      LastPostUpdateAt: THEN + 11,
      LastPostId: idOf('edited'),
      LastPostCreateAt: THEN + 12,
      LastPostCreateID: idOf('root'),
    }),
    more: shared('cursor'),
    is: 'moved',
    as: { last_post_update_at: THEN + 11, last_post_id: idOf('edited'), remote_id: idOf('branch') },
    where: hasShares,
  },
  {
    name: 'a share of a channel that is at home elsewhere',
    row: share('away', { LastPostUpdateAt: THEN + 11, LastPostId: idOf('edited') }),
    more: shared('away', { Home: 0, RemoteId: idOf('branch') }),
    is: 'moved',
    as: { channel_id: idOf('away'), is_from_peer: 1 },
    where: hasShares,
  },
  {
    name: 'a share over a connection that does not exist',
    row: share('cut', { RemoteId: idOf('lost cluster') }),
    more: shared('cut'),
    is: 'left',
    where: hasShares,
  },
  { name: 'a share of a missing channel', row: share('lost home'), is: 'left', where: hasShares },
  {
    name: 'a deleted share',
    row: share('ended', { DeleteAt: THEN + 1 }),
    more: shared('ended'),
    is: 'either',
    as: { delete_at: THEN + 1 },
    where: (layout) => hasShares(layout) && layout.version >= 126,
  },
];

/** Rows that have no place here: each kind is counted in the report. */
export const unmovedRows: readonly (readonly [kind: RegExp, row: Row])[] = [
  [
    /command/i,
    [
      'Commands',
      { Id: idOf('command'), Trigger: 'weather', CreatorId: ann, TeamId: team, URL: 'https://example.test' },
    ],
  ],
  [/emoji/i, ['Emoji', { Id: idOf('party'), CreatorId: ann, Name: 'party' }]],
  [/reaction/i, ['Reactions', { UserId: ann, PostId: idOf('root'), EmojiName: 'party', ChannelId: town }]],
  [/file/i, ['FileInfo', { Id: idOf('unused file'), CreatorId: ann, PostId: '', Name: 'notes.txt' }]],
  [
    /group/i,
    ['UserGroups', { Id: idOf('directory group'), Name: 'devs', DisplayName: 'Developers', Source: 'ldap' }],
  ],
  [/plugin/i, ['PluginKeyValueStore', { PluginId: 'com.example.poll', PKey: 'a', PValue: 'b' }]],
  [/playbook/i, ['IR_Playbook', { ID: idOf('playbook'), Title: 'Incident' }]],
];
