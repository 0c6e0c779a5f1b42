import { directName, groupName, newChannel, newMember } from '../../../messaging/channels/channel.rules.js';
import type { Channel } from '../../../messaging/channels/channel.entity.js';
import { newUser, supportedLocale } from '../../../messaging/users/user-rules.js';
import { idOf } from '../../../platform/common/ids.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { Sequence } from '../../../platform/common/sequence.js';
import { Fields } from '../mattermost/fields.js';
import type { TargetRows } from '../target-rows.js';
import type { ExportLine } from './lines.js';
import {
  type BulkNotes,
  type Existing,
  flat,
  type ImportedRow,
  namesIn,
  objectsIn,
  textIn,
} from './values.js';

/** Line types without a place here. */
const NOT_MOVED: Readonly<Record<string, string>> = {
  emoji: 'custom emoji',
  scheme: 'permission schemes',
  role: 'roles',
};

/**
 * Turns the lines of an export into rows. An export has no ids: names that exist here are used, and other ids follow
 * from the contents, so that a second run finds them again.
 */
export class BulkContents {
  private readonly ids = new Map<string, string>();
  private readonly sequence = new Sequence();

  constructor(
    private readonly existing: Existing,
    private readonly notes: BulkNotes,
    private readonly now: number,
  ) {}

  /** The rows of a line; none if it has no place here or refers to something unknown. */
  async rows({ number, type, value }: ExportLine): Promise<ImportedRow[]> {
    const fields = new Fields(flat(value), this.notes.warnings, `line ${number}`);
    switch (type) {
      case 'version':
        return [];
      case 'team':
        return this.team(fields);
      case 'channel':
        return this.channel(fields, number);
      case 'user':
        return this.user(fields, value, number);
      case 'bot':
        return this.bot(fields);
      case 'post':
        return this.post(
          fields,
          value,
          number,
          await this.channelOf(fields.text('team'), fields.text('channel')),
        );
      case 'direct_channel':
        return this.direct(fields, namesIn(value, 'participants', 'members'), number);
      case 'direct_post':
        return this.directPost(fields, value, number);
      default:
        this.notes.notMoved.add(
          NOT_MOVED[type] ?? `lines of the type ${type.slice(0, 50)}`,
          `line ${number}`,
        );
        return [];
    }
  }

  private async team(fields: Fields): Promise<ImportedRow[]> {
    const name = fields.text('name', 64).toLowerCase();
    if (await this.isHere(`team ${name}`, () => this.existing.team(name))) return [];
    const id = this.define(`team ${name}`);
    const row = {
      id,
      ...{ createAt: this.now, updateAt: this.now, deleteAt: 0 },
      name,
      displayName: fields.text('display_name', 64) || name,
      description: fields.text('description', 255),
      type: fields.text('type') === 'I' ? 'I' : 'O',
      allowOpenInvite: fields.flag('allow_open_invite'),
      inviteId: idOf(`bulk invite ${id}`),
      ...{ email: '', companyName: '', allowedDomains: '', creatorId: '' },
    };
    return [{ to: 'Team', row }];
  }

  private async channel(fields: Fields, number: number): Promise<ImportedRow[]> {
    const teamId = await this.teamOf(fields.text('team'));
    if (teamId === undefined) return this.leave('the team does not exist', number);
    const name = fields.text('name', 64).toLowerCase();
    const key = `channel ${teamId} ${name}`;
    if (await this.isHere(key, () => this.existing.channel(teamId, name))) return [];
    const row = newChannel(this.now, {
      id: this.define(key),
      ...{ teamId, name, creatorId: '' },
      type: fields.text('type') === 'P' ? 'P' : 'O',
      displayName: fields.text('display_name', 64) || name,
      header: fields.text('header', 1024),
      purpose: fields.text('purpose', 250),
      deleteAt: fields.time('deleted_at'),
    });
    return [{ to: 'Channel', row }];
  }

  private async user(fields: Fields, value: JsonObject, number: number): Promise<ImportedRow[]> {
    const rows: ImportedRow[] = [];
    const username = fields.text('username', 64).toLowerCase();
    let id = await this.userOf(username);
    if (id === undefined) {
      id = this.define(`user ${username}`);
      const roles = fields.names('roles').filter((role) => role !== 'system_guest');
      const isGuest = fields.text('roles').includes('system_guest');
      fields.note(isGuest ? 'guest: deactivated' : 'needs a new password', username);
      const row = newUser(this.now, {
        id,
        username,
        email: fields.text('email', 128).toLowerCase() || `${id}@localhost`,
        nickname: fields.text('nickname', 64),
        firstName: fields.text('first_name', 64),
        lastName: fields.text('last_name', 64),
        position: fields.text('position', 128),
        roles: roles.join(' ').slice(0, 256) || 'system_user',
        locale: supportedLocale(fields.text('locale')),
        deleteAt: fields.time('delete_at') || (isGuest ? this.now : 0),
      });
      rows.push({ to: 'User', row });
    }
    for (const team of objectsIn(value, 'teams')) rows.push(...(await this.memberships(team, id, number)));
    return rows;
  }

  private async memberships(team: JsonObject, userId: string, number: number): Promise<ImportedRow[]> {
    const teamId = await this.teamOf(textIn(team, 'name'));
    if (teamId === undefined) return this.leave('membership of an unknown team', number);
    const schemeAdmin = textIn(team, 'roles').includes('team_admin');
    const flags = { explicitRoles: '', schemeGuest: false, schemeUser: true };
    const rows: ImportedRow[] = [
      { to: 'TeamMember', row: { teamId, userId, ...flags, schemeAdmin, createAt: this.now, deleteAt: 0 } },
    ];
    for (const channel of objectsIn(team, 'channels')) {
      const channelId = await this.channelIn(teamId, textIn(channel, 'name'));
      if (channelId === undefined) this.notes.left.add('membership of an unknown channel', `line ${number}`);
      else rows.push(this.member(channelId, userId, textIn(channel, 'roles').includes('channel_admin')));
    }
    return rows;
  }

  private member(channelId: string, userId: string, isAdmin = false): ImportedRow {
    const row = newMember(this.now, channelId, { id: userId } as TargetRows['User'], isAdmin);
    return { to: 'ChannelMember', row: { ...row, lastViewedAt: this.now } };
  }

  private async bot(fields: Fields): Promise<ImportedRow[]> {
    const username = fields.text('username', 64).toLowerCase();
    if ((await this.userOf(username)) !== undefined) return [];
    const botOwnerId = (await this.userOf(fields.text('owner'))) ?? '';
    if (botOwnerId === '') fields.note('bot without an owner', username);
    const row = newUser(this.now, {
      id: this.define(`user ${username}`),
      ...{ username, email: `${username}@localhost`, isBot: true, botOwnerId },
      firstName: fields.text('display_name', 64),
      botDescription: fields.text('description', 1024),
      deleteAt: fields.time('delete_at'),
    });
    return [{ to: 'User', row }];
  }

  /** A direct or group channel with its members. */
  private async direct(fields: Fields, usernames: readonly string[], number: number): Promise<ImportedRow[]> {
    const ids = await Promise.all(usernames.map((username) => this.userOf(username)));
    const userIds = [...new Set(ids)].filter((id) => id !== undefined);
    const [first, second = first] = userIds;
    if (first === undefined || second === undefined || ids.includes(undefined))
      return this.leave('a member does not exist', number);
    const isGroup = userIds.length > 2;
    const name = isGroup ? groupName(userIds) : directName(first, second);
    const key = `channel  ${name}`;
    if (await this.isHere(key, () => this.existing.channel('', name))) return [];
    const displayName = isGroup ? usernames.join(', ').slice(0, 64) : '';
    const type: Channel['type'] = isGroup ? 'G' : 'D';
    const about = { teamId: '', type, name, displayName, creatorId: '', header: fields.text('header', 1024) };
    const row = newChannel(this.now, { id: this.define(key), ...about });
    return [{ to: 'Channel', row }, ...userIds.map((userId) => this.member(row.id, userId))];
  }

  private async directPost(fields: Fields, value: JsonObject, number: number): Promise<ImportedRow[]> {
    const usernames = namesIn(value, 'channel_members');
    const rows = await this.direct(fields, usernames, number);
    const ids = await Promise.all(usernames.map((username) => this.userOf(username)));
    const userIds = [...new Set(ids)].filter((id) => id !== undefined);
    const [first = '', second = first] = userIds;
    const name = userIds.length > 2 ? groupName(userIds) : directName(first, second);
    const channelId = await this.channelIn('', name);
    return [...rows, ...(await this.post(fields, value, number, channelId))];
  }

  /** A post with its replies. */
  private async post(
    fields: Fields,
    value: JsonObject,
    number: number,
    channelId: string | undefined,
  ): Promise<ImportedRow[]> {
    if (channelId === undefined) return this.leave('the channel does not exist', number);
    const root = await this.onePost(fields, value, channelId, '');
    if (!root) return this.leave('the author does not exist', number);
    const replies: TargetRows['Post'][] = [];
    for (const reply of objectsIn(value, 'replies')) {
      const row = await this.onePost(this.fieldsOf(reply, number), reply, channelId, root.id);
      if (row) replies.push(row);
      else this.notes.left.add('the author does not exist', `line ${number}`);
    }
    const counts = {
      replyCount: replies.length,
      lastReplyAt: Math.max(0, ...replies.map(({ createAt }) => createAt)),
    };
    return [{ ...root, ...counts }, ...replies].map((row) => ({ to: 'Post', row }));
  }

  private fieldsOf(value: JsonObject, number: number): Fields {
    return new Fields(flat(value), this.notes.warnings, `line ${number}`);
  }

  private async onePost(fields: Fields, value: JsonObject, channelId: string, rootId: string) {
    const userId = await this.userOf(fields.text('user'));
    if (userId === undefined) return undefined;
    const text = fields.bytes('message', 65_535);
    const createAt = fields.time('create_at');
    for (const { path } of objectsIn(value, 'attachments'))
      this.notes.notMoved.add('files', String(path).slice(0, 100));
    const reactions = objectsIn(value, 'reactions');
    if (reactions.length > 0)
      this.notes.notMoved.add('reactions', textIn(reactions[0] ?? {}, 'emoji_name'), reactions.length);
    const editAt = fields.time('edit_at');
    return {
      id: idOf(`bulk post ${channelId} ${createAt} ${userId} ${text}`),
      seq: this.sequence.at(createAt),
      ...{ createAt, updateAt: Math.max(createAt, editAt), editAt, deleteAt: 0 },
      ...{ userId, channelId, rootId, originalId: '', message: text },
      type: fields.text('type', 26),
      props: fields.object('props'),
      isPinned: fields.flag('is_pinned'),
      ...{
        hashtags: '',
        pendingPostId: '',
        metadata: {},
        replyCount: 0,
        lastReplyAt: 0,
        remoteId: '',
        sourceId: '',
      },
    };
  }

  private teamOf(name: string): Promise<string | undefined> {
    return this.find(`team ${name.toLowerCase()}`, () => this.existing.team(name.toLowerCase()));
  }

  private userOf(name: string): Promise<string | undefined> {
    return this.find(`user ${name.toLowerCase()}`, () => this.existing.user(name.toLowerCase()));
  }

  private async channelOf(team: string, name: string): Promise<string | undefined> {
    const teamId = await this.teamOf(team);
    return teamId === undefined ? undefined : this.channelIn(teamId, name);
  }

  private channelIn(teamId: string, name: string): Promise<string | undefined> {
    const lower = name.toLowerCase();
    return this.find(`channel ${teamId} ${lower}`, () => this.existing.channel(teamId, lower));
  }

  private async isHere(key: string, find: () => Promise<string | undefined>): Promise<boolean> {
    return (await this.find(key, find)) !== undefined;
  }

  private async find(key: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = this.ids.get(key) ?? (await find());
    if (known !== undefined) this.ids.set(key, known);
    return known;
  }

  private define(key: string): string {
    const id = idOf(`bulk ${key}`);
    this.ids.set(key, id);
    return id;
  }

  private leave(reason: string, number: number): [] {
    this.notes.left.add(reason, `line ${number}`);
    return [];
  }
}
