import { createHash } from 'node:crypto';
import { idOf, THEN } from '../source-database.mjs';
import {
  ann,
  closedTeam,
  hasTable,
  isUtf8,
  missing,
  owner,
  type Row,
  storesTextJson,
  team,
  town,
  type Trap,
} from './trap.js';

const channel = (name: string, values: object = {}): Row => [
  'Channels',
  {
    Id: idOf(name),
    Name: name.replaceAll(' ', '-'),
    DisplayName: name,
    TeamId: team,
    Type: 'O',
    CreatorId: owner,
    ...values,
  },
];
const post = (name: string, values: object = {}): Row => [
  'Posts',
  { Id: idOf(name), UserId: ann, ChannelId: town, Message: name, ...values },
];
const direct = (first: string, second: string): string => [first, second].sort().join('__');
const group = [ann, owner, idOf('third')].sort();
const groupName = createHash('sha1').update(group.join('')).digest('hex');
const BIG_MESSAGE = '🚀'.repeat(16_383) + 'end';
const BIG_PROPS = { text: 'x'.repeat(799_900) };

/** Teams, channels and posts. */
export const messageTraps: readonly Trap[] = [
  {
    name: 'a team with NULL in all columns',
    row: ['Teams', { Id: idOf('null team'), isNull: true }],
    is: 'either',
  },
  {
    name: 'a team with NULL in all columns except its name',
    row: ['Teams', { Id: idOf('bare team'), isNull: true, Name: 'bare', Type: null }],
    is: 'moved',
    as: { name: 'bare', delete_at: 0, allow_open_invite: 0, description: '' },
  },
  {
    name: 'a team of a scheme, with capitals and many allowed domains',
    row: [
      'Teams',
      {
        ...{
          Id: idOf('schemed'),
          Name: 'Schemed',
          DisplayName: 'Schemed',
          Type: 'I',
          SchemeId: idOf('scheme'),
        },
        ...{ InviteId: idOf('invite 2'), AllowedDomains: `${'example.test,'.repeat(60)}x.test` },
      },
    ],
    more: [['Schemes', { Id: idOf('scheme'), Name: 'scheme', DisplayName: 'A scheme', Scope: 'team' }]],
    is: 'moved',
    as: { name: 'schemed', type: 'I', invite_id: idOf('invite 2') },
    told: /scheme/i,
  },
  {
    name: 'an archived team',
    row: ['Teams', { Id: idOf('shut'), Name: 'shut', DisplayName: 'Shut', Type: 'O', DeleteAt: THEN + 3 }],
    is: 'moved',
    as: { delete_at: THEN + 3 },
  },
  {
    name: 'a channel with NULL in all columns',
    row: ['Channels', { Id: idOf('null channel'), isNull: true }],
    is: 'either',
  },
  {
    name: 'a channel with NULL in all columns except team, type and name',
    row: channel('bare channel', { isNull: true, DisplayName: null, CreatorId: null, Header: null }),
    is: 'moved',
    as: { name: 'bare-channel', header: '', purpose: '', creator_id: '', delete_at: 0, shared: 0 },
  },
  {
    name: 'a channel name with capitals',
    row: channel('Loud', { DisplayName: 'Loud' }),
    is: 'moved',
    as: { name: 'loud', display_name: 'Loud' },
  },
  {
    name: 'an archived channel',
    row: channel('stored away', { DeleteAt: THEN + 4 }),
    is: 'moved',
    as: { delete_at: THEN + 4 },
  },
  {
    name: 'a channel with a header of 1,024 characters of four bytes',
    row: channel('heading', { Header: '🚀'.repeat(1_024), Purpose: '🚀'.repeat(250) }),
    is: 'moved',
    as: { header: '🚀'.repeat(1_024), purpose: '🚀'.repeat(250) },
    where: isUtf8,
  },
  { name: 'a channel of a missing team', row: channel('stray', { TeamId: missing }), is: 'left' },
  {
    name: 'a channel of an archived team',
    row: channel('closed in', { TeamId: closedTeam }),
    is: 'moved',
    as: { team_id: closedTeam },
  },
  {
    name: 'a channel whose creator is missing',
    row: channel('orphaned', { CreatorId: missing }),
    is: 'moved',
  },
  {
    name: 'two channels whose names differ in case',
    row: channel('Case Pair', { Name: 'Pair' }),
    more: [channel('case pair', { Name: 'pair' })],
    is: 'either',
    told: /name/i,
    where: ({ collation }) => collation === 'utf8mb4_bin',
  },
  {
    name: 'a direct channel',
    row: channel('direct', { TeamId: '', Type: 'D', Name: direct(ann, owner), DisplayName: '' }),
    more: [
      ['ChannelMembers', { ChannelId: idOf('direct'), UserId: ann, SchemeUser: 1 }],
      ['ChannelMembers', { ChannelId: idOf('direct'), UserId: owner, SchemeUser: 1 }],
    ],
    is: 'moved',
    as: { name: direct(ann, owner), type: 'D', team_id: '' },
  },
  {
    name: 'a direct channel of a user with itself',
    row: channel('alone', { TeamId: '', Type: 'D', Name: `${ann}__${ann}`, DisplayName: '' }),
    more: [['ChannelMembers', { ChannelId: idOf('alone'), UserId: ann, SchemeUser: 1 }]],
    is: 'moved',
    as: { name: `${ann}__${ann}`, type: 'D' },
  },
  {
    name: 'a direct channel with a missing user',
    row: channel('half', { TeamId: '', Type: 'D', Name: direct(ann, missing), DisplayName: '' }),
    is: 'either',
  },
  {
    name: 'a group channel',
    row: channel('group', { TeamId: '', Type: 'G', Name: groupName, DisplayName: 'ann, owner, third' }),
    more: [
      ['Users', { Id: idOf('third'), Username: 'third', Email: 'third@example.test', Roles: 'system_user' }],
      ...group.map((UserId): Row => ['ChannelMembers', { ChannelId: idOf('group'), UserId, SchemeUser: 1 }]),
    ],
    is: 'moved',
    as: { name: groupName, type: 'G', team_id: '' },
  },
  {
    name: 'a post with NULL in all columns except author and channel',
    row: post('bare post', { isNull: true, Message: null, Props: null, RootId: null, OriginalId: null }),
    is: 'moved',
    as: {
      message: '',
      props: {},
      root_id: '',
      delete_at: 0,
      is_pinned: 0,
      type: '',
      metadata: expect.any(Object),
    },
  },
  {
    name: 'a post with NULL in all columns',
    row: ['Posts', { Id: idOf('null post'), isNull: true }],
    is: 'left',
  },
  {
    name: 'a deleted post',
    row: post('deleted', { DeleteAt: THEN + 8 }),
    is: 'moved',
    as: { delete_at: THEN + 8, message: 'deleted' },
  },
  {
    name: 'an edited post',
    row: post('edited', { Message: 'the newest text', EditAt: THEN + 2 }),
    is: 'moved',
    as: { message: 'the newest text', edit_at: THEN + 2, original_id: '' },
  },
  {
    name: 'an old text of an edited post',
    row: post('old text', { OriginalId: idOf('edited'), DeleteAt: THEN + 2 }),
    is: 'either',
    as: { original_id: idOf('edited'), delete_at: THEN + 2 },
  },
  {
    name: 'a reply',
    row: post('reply', { RootId: idOf('root') }),
    more: [post('root')],
    is: 'moved',
    as: { root_id: idOf('root') },
  },
  {
    name: 'the root of a thread',
    row: post('counted root'),
    more: [
      post('reply 1', { RootId: idOf('counted root') }),
      post('reply 2', { RootId: idOf('counted root'), CreateAt: THEN + 60 }),
    ],
    is: 'moved',
    as: { reply_count: 2, last_reply_at: THEN + 60 },
  },
  {
    name: 'a reply with its root in the former column only',
    row: post('old reply', { RootId: '', ParentId: idOf('old root') }),
    more: [post('old root')],
    is: 'moved',
    as: { root_id: idOf('old root') },
    where: ({ version }) => version < 66,
  },
  {
    name: 'a reply whose root is missing',
    row: post('rootless', { RootId: missing }),
    is: 'either',
    as: { root_id: '' },
  },
  {
    name: 'a reply to a reply',
    row: post('deep reply', { RootId: idOf('middle') }),
    more: [post('top'), post('middle', { RootId: idOf('top') })],
    is: 'either',
  },
  {
    name: 'a post of a webhook',
    row: post('hooked', {
      Props: JSON.stringify({
        ...{
          from_webhook: 'true',
          override_username: 'Jenkins',
          override_icon_url: 'https://example.test/i.png',
        },
        ...{ webhook_display_name: 'Builds', attachments: [{ text: 'red', color: '#ff0000' }] },
      }),
      Type: 'slack_attachment',
    }),
    is: 'moved',
    as: {
      type: 'slack_attachment',
      props: expect.objectContaining({
        from_webhook: 'true',
        override_username: 'Jenkins',
        attachments: [expect.objectContaining({ text: 'red' })],
      }),
    },
  },
  {
    name: 'a post whose props are not JSON',
    row: post('broken', { Props: '{"from_webhook": tru' }),
    is: 'moved',
    as: { props: {}, message: 'broken' },
    told: /json|props/i,
    where: storesTextJson,
  },
  {
    name: 'a post whose props are a list',
    row: post('listed', { Props: '["a"]' }),
    is: 'moved',
    as: { props: {} },
  },
  {
    name: 'a post with props of 800,000 characters',
    row: post('wide', { Props: JSON.stringify(BIG_PROPS) }),
    is: 'moved',
    as: { props: BIG_PROPS },
    where: (layout) => !storesTextJson(layout), // a text column holds less
  },
  {
    name: 'a message of 65,535 bytes',
    row: post('long', { Message: BIG_MESSAGE }),
    is: 'moved',
    as: { message: BIG_MESSAGE },
    where: isUtf8,
  },
  {
    name: 'a message with every kind of character',
    row: post('letters', { Message: 'quote \' " back\\slash \n\r\t % _ ; -- \u200b é' }),
    is: 'moved',
    as: { message: 'quote \' " back\\slash \n\r\t % _ ; -- \u200b é' },
    where: isUtf8,
  },
  {
    name: 'a message in a table of another character set',
    row: post('café', { Message: 'café' }),
    is: 'moved',
    as: { message: 'café' },
  },
  {
    name: 'an emoji that the table could not hold',
    row: post('emoji', { Message: 'launch 🚀' }),
    is: 'moved',
    as: { message: expect.stringMatching(/^launch( \?+)?/) },
    where: (layout) => !isUtf8(layout),
  },
  {
    name: 'bytes that are not UTF-8, in a binary column',
    row: post('bytes', { Message: Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0x80]) }),
    is: 'either',
    as: { message: expect.stringMatching(/^ok/) },
    where: ({ types }) => types?.['Posts.Message'] === 'blob',
  },
  {
    name: 'a post with a file',
    row: post('with a file', { FileIds: JSON.stringify([idOf('file')]) }),
    more: [
      [
        'FileInfo',
        { Id: idOf('file'), PostId: idOf('with a file'), CreatorId: ann, Name: 'the report.pdf', Size: 9 },
      ],
    ],
    is: 'moved',
    as: { message: expect.stringMatching(/^with a file[^]*the report\.pdf/) },
  },
  {
    name: 'a post with a file that is missing',
    row: post('lost file', { FileIds: JSON.stringify([missing]) }),
    is: 'moved',
    as: { message: expect.stringMatching(/^lost file/) },
  },
  {
    name: 'a post with a list of files that is not JSON',
    row: post('odd files', { FileIds: '[', Filenames: 'none' }),
    is: 'moved',
    as: { message: expect.stringMatching(/^odd files/) },
  },
  {
    name: 'a pinned post with a type of the server',
    row: post('joined', { Type: 'system_join_channel', IsPinned: 1, Props: '{"username":"ann"}' }),
    is: 'moved',
    as: { type: 'system_join_channel', is_pinned: 1, props: { username: 'ann' } },
  },
  {
    name: 'a post with many hashtags',
    row: post('tagged', { Hashtags: '#tag '.repeat(900) }),
    is: 'moved',
  },
  {
    name: 'an urgent post',
    row: ['PostsPriority', { PostId: idOf('urgent'), ChannelId: town, Priority: 'urgent', RequestedAck: 1 }],
    more: [post('urgent')],
    is: 'moved',
    as: {
      metadata: expect.objectContaining({
        priority: expect.objectContaining({ priority: 'urgent', requested_ack: true }),
      }),
    },
    where: hasTable('PostsPriority', 97),
  },
  { name: 'a post of a missing author', row: post('authorless', { UserId: missing }), is: 'either' },
  { name: 'a post in a missing channel', row: post('nowhere', { ChannelId: missing }), is: 'left' },
  { name: 'a post with an id of another form', row: post('odd id', { Id: 'not an id' }), is: 'left' },
  { name: 'a post with a time in seconds', row: post('early', { CreateAt: 1_600_000_000 }), is: 'moved' },
  { name: 'a post with a negative time', row: post('before', { CreateAt: -7 }), is: 'either' },
  {
    name: 'a post with a time beyond exact numbers',
    row: post('beyond', { CreateAt: '9007199254740993', UpdateAt: '9223372036854775807' }),
    is: 'either',
  },
  {
    name: 'a post that was received from a server whose connection is missing',
    row: post('received', { RemoteId: idOf('lost cluster') }),
    is: 'moved',
    where: hasTable('Posts.RemoteId', 50),
  },
  ...Array.from({ length: 3 }, (_, at): Trap => ({
    name: `one of three posts of the same millisecond: ${at}`,
    row: post(`same ${at}`),
    is: 'moved',
  })),
];
