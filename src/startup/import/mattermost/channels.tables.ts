import type { ChannelMember } from '../../../messaging/channels/channel-member.entity.js';
import { uniqueName } from './accounts.tables.js';
import type { Fields } from './fields.js';
import { Left, type TableImport, type World } from './table-import.js';

const teamsTable: TableImport<'Team'> = {
  from: 'Teams',
  to: 'Team',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Name',
  columns: [
    ...['Id', 'CreateAt', 'UpdateAt', 'DeleteAt', 'DisplayName', 'Name', 'Description', 'Email', 'Type'],
    ...['CompanyName', 'AllowedDomains', 'InviteId', 'AllowOpenInvite', 'SchemeId'],
  ],
  kept: ['creatorId'],
  map(fields, world) {
    const id = fields.id('Id');
    if (id === '') return new Left('malformed id');
    if (fields.text('SchemeId') !== '') fields.note('permission scheme is not available');
    const name = fields.text('Name', 64).toLowerCase() || id;
    world.teams.add(id);
    return {
      id,
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt: fields.time('DeleteAt'),
      displayName: fields.text('DisplayName', 64) || name,
      name: uniqueName(fields, world, 'team', name, `${name.slice(0, 59)}-${id.slice(0, 4)}`),
      description: fields.text('Description', 255),
      email: fields.text('Email', 128),
      type: fields.text('Type') === 'I' ? 'I' : 'O',
      companyName: fields.text('CompanyName', 64),
      allowedDomains: fields.text('AllowedDomains', 500),
      inviteId: fields.text('InviteId', 26) || id,
      allowOpenInvite: fields.flag('AllowOpenInvite'),
      creatorId: '',
    };
  },
};

/** The scheme flags of a member. Before the second phase of their migration, the roles name them. */
function schemeOf(fields: Fields, scope: 'team' | 'channel') {
  const roles = fields.names('Roles');
  const has = (column: string, role: string): boolean => fields.flag(column) || roles.includes(role);
  const isGuest = has('SchemeGuest', `${scope}_guest`);
  return {
    explicitRoles: roles
      .filter((role) => ![`${scope}_user`, `${scope}_admin`, `${scope}_guest`].includes(role))
      .join(' ')
      .slice(0, 256),
    schemeGuest: false,
    schemeUser: isGuest || has('SchemeUser', `${scope}_user`),
    schemeAdmin: has('SchemeAdmin', `${scope}_admin`),
  };
}

const SCHEME_COLUMNS = ['Roles', 'SchemeUser', 'SchemeAdmin', 'SchemeGuest'];

const teamMembersTable: TableImport<'TeamMember'> = {
  from: 'TeamMembers',
  to: 'TeamMember',
  key: ['TeamId', 'UserId'],
  keyHere: ['teamId', 'userId'],
  name: 'UserId',
  columns: ['TeamId', 'UserId', 'CreateAt', 'DeleteAt', ...SCHEME_COLUMNS],
  addedAt: 'createAt',
  map(fields, world) {
    const [teamId, userId] = [fields.id('TeamId'), fields.id('UserId')];
    if (!world.teams.has(teamId)) return new Left('the team does not exist');
    if (!world.users.has(userId)) return new Left('the user does not exist');
    const times = { createAt: fields.time('CreateAt'), deleteAt: fields.time('DeleteAt') };
    return { teamId, userId, ...schemeOf(fields, 'team'), ...times };
  },
};

const channelsTable: TableImport<'Channel'> = {
  from: 'Channels',
  to: 'Channel',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Name',
  columns: [
    ...[
      'Id',
      'CreateAt',
      'UpdateAt',
      'DeleteAt',
      'TeamId',
      'Type',
      'DisplayName',
      'Name',
      'Header',
      'Purpose',
    ],
    ...['CreatorId', 'LastPostAt', 'TotalMsgCount', 'LastRootPostAt', 'TotalMsgCountRoot', 'SchemeId'],
  ],
  kept: ['lastSeq'],
  merge: (here, there) => ({
    lastPostAt: Math.max(here.lastPostAt, there.lastPostAt),
    lastRootPostAt: Math.max(here.lastRootPostAt, there.lastRootPostAt),
    totalMsgCount: Math.max(here.totalMsgCount, there.totalMsgCount),
    totalMsgCountRoot: Math.max(here.totalMsgCountRoot, there.totalMsgCountRoot),
  }),
  map(fields, world) {
    const id = fields.id('Id');
    if (id === '') return new Left('malformed id');
    const type = fields.text('Type');
    if (!/^[OPDG]$/.test(type)) return new Left(`unknown type ${type.slice(0, 10)}`);
    const isTeamChannel = type === 'O' || type === 'P';
    const teamId = isTeamChannel ? fields.text('TeamId') : '';
    if (isTeamChannel && !world.teams.has(teamId)) return new Left('the team does not exist');
    const name = fields.text('Name', 64).toLowerCase() || id;
    if (type === 'D' && !name.split('__').every((user) => world.users.has(user)))
      return new Left('a member does not exist');
    if (fields.text('SchemeId') !== '') fields.note('permission scheme is not available');
    const deleteAt = fields.time('DeleteAt');
    const totalMsgCount = fields.count('TotalMsgCount');
    const lastPostAt = fields.time('LastPostAt');
    world.channels.set(id, { type, teamId, isArchived: deleteAt > 0 });
    return {
      id,
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt,
      teamId,
      type,
      displayName: fields.text('DisplayName', 64),
      name: uniqueName(fields, world, `channel ${teamId}`, name, `${name.slice(0, 59)}-${id.slice(0, 4)}`),
      header: fields.bytes('Header', 65_535),
      purpose: fields.text('Purpose', 250),
      creatorId: userOf(fields, 'CreatorId', world),
      lastPostAt,
      totalMsgCount,
      lastRootPostAt: fields.has('LastRootPostAt') ? fields.time('LastRootPostAt') : lastPostAt,
      totalMsgCountRoot: fields.has('TotalMsgCountRoot') ? fields.count('TotalMsgCountRoot') : totalMsgCount,
      lastSeq: 0,
      shared: world.sharedChannels.has(id),
    };
  },
};

/** The id in a column if it is one of an imported user, else empty. */
export function userOf(fields: Fields, column: string, world: World): string {
  const id = fields.id(column);
  return world.users.has(id) ? id : '';
}

const channelMembersTable: TableImport<'ChannelMember'> = {
  from: 'ChannelMembers',
  to: 'ChannelMember',
  key: ['ChannelId', 'UserId'],
  keyHere: ['channelId', 'userId'],
  name: 'UserId',
  columns: [
    ...['ChannelId', 'UserId', 'LastViewedAt', 'MsgCount', 'MentionCount', 'NotifyProps', 'LastUpdateAt'],
    ...['MsgCountRoot', 'MentionCountRoot', ...SCHEME_COLUMNS],
  ],
  addedAt: 'lastUpdateAt',
  merge: (here, there) => (here.lastViewedAt > there.lastViewedAt ? viewsOf(here) : {}),
  map(fields, world) {
    const [channelId, userId] = [fields.id('ChannelId'), fields.id('UserId')];
    if (!world.channels.has(channelId)) return new Left('the channel does not exist');
    if (!world.users.has(userId)) return new Left('the user does not exist');
    const [msgCount, mentionCount] = [fields.count('MsgCount'), fields.count('MentionCount')];
    return {
      channelId,
      userId,
      ...schemeOf(fields, 'channel'),
      lastViewedAt: fields.time('LastViewedAt'),
      msgCount,
      msgCountRoot: fields.has('MsgCountRoot') ? fields.count('MsgCountRoot') : msgCount,
      mentionCount,
      mentionCountRoot: fields.has('MentionCountRoot') ? fields.count('MentionCountRoot') : mentionCount,
      notifyProps: fields.texts('NotifyProps'),
      lastUpdateAt: fields.time('LastUpdateAt'),
    };
  },
};

/** What a member has read. */
function viewsOf(member: ChannelMember): Partial<ChannelMember> {
  const { lastViewedAt, msgCount, msgCountRoot, mentionCount, mentionCountRoot } = member;
  return { lastViewedAt, msgCount, msgCountRoot, mentionCount, mentionCountRoot };
}

export { channelMembersTable, channelsTable, teamMembersTable, teamsTable };
