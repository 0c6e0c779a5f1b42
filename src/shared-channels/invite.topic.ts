import type { Channel } from '../messaging/channels/channel.entity.js';
import { newId } from '../platform/common/ids.js';
import type { JsonObject } from '../platform/common/json.js';
import { visible } from '../platform/common/visible.js';
import { MessageRefused, type Topic, Topics } from '../remote-cluster/messages/topics.js';
import { isObject } from '../remote-cluster/peer/frame.js';
import { isPlainId } from '../remote-cluster/remote-cluster.rules.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChannelNameTaken, TooManyChannels } from '../messaging/channels/channels.errors.js';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { sliceRunes } from '../platform/common/utf8.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { UsersService } from '../messaging/users/users.service.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { PostSender } from './sync/post-sender.js';
import { ShareIndex } from './share-index.js';
import { MAX_ERROR_RUNES } from './shared-channel.entity.js';
import { INVITE_TOPIC, SharedChannelsService, UNINVITE_TOPIC } from './shared-channels.service.js';

const MAX_NAME_LENGTH = 64;
const MAX_SOURCE_LENGTH = 24;
const ID_LENGTH = 26;
const MAX_LENGTHS = { type: 1, name: 128, display_name: 128, header: 2_048, purpose: 512 };

/** A channel that a peer shares with this server (docs/contract/shared-channels.md#invite). */
export interface ChannelInvite {
  readonly channelId: string;
  readonly name: string;
  readonly displayName: string;
  readonly header: string;
  readonly purpose: string;
  readonly type: 'O' | 'P';
}

/** Throws MessageRefused naming the field. */
export function parseChannelInvite(payload: unknown): ChannelInvite {
  const channelId = parseChannelId(payload);
  const invite = payload as JsonObject;
  const text = (field: keyof typeof MAX_LENGTHS): string => {
    const value = invite[field] ?? '';
    const max = MAX_LENGTHS[field];
    if (typeof value !== 'string' || value.length > max || value.includes('\0'))
      throw new MessageRefused(`Invalid ${field}: it must be a string of at most ${max} characters.`);
    return value;
  };
  const type = text('type') || 'O';
  if (type !== 'O' && type !== 'P')
    throw new MessageRefused(
      'Invalid type: only public and private channels can be shared with this server.',
    );
  const name = text('name');
  return {
    ...{ channelId, name, type },
    displayName: visible(text('display_name')) || name,
    header: text('header'),
    purpose: text('purpose'),
  };
}

/** Throws MessageRefused. */
export function parseChannelId(payload: unknown): string {
  const id = isObject(payload) ? payload['channel_id'] : undefined;
  if (!isPlainId(id)) throw new MessageRefused('Invalid channel_id: it must be 26 letters and digits.');
  return id;
}

/** Names to try for an invited channel: its own, then with the connection's name, then with a random id. */
export function candidateNames(name: string, connection: string): string[] {
  const base = clean(name) || 'shared';
  const source = connection.slice(0, MAX_SOURCE_LENGTH);
  const marked = clean(`${base.slice(0, MAX_NAME_LENGTH - 1 - source.length)}-${source}`);
  const unique = `${base.slice(0, MAX_NAME_LENGTH - 1 - ID_LENGTH)}-${newId()}`;
  return [base, marked, unique].map((text) => text.slice(0, MAX_NAME_LENGTH));
}

function clean(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
}

const KNOWN = 'A channel with this id already exists here, perhaps over another connection of your server.';

/**
 * `sharedchannel_invite`: a peer shares a channel, which is created in the connection's team, or announces a
 * change to a channel it already shares.
 */
@Injectable()
export class InviteTopic implements Topic<ChannelInvite>, OnModuleInit {
  readonly name = INVITE_TOPIC;
  readonly parse = parseChannelInvite;

  constructor(
    private readonly topics: Topics,
    private readonly shared: SharedChannelsService,
    private readonly index: ShareIndex,
    private readonly sender: PostSender,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
  }

  /** Two concurrent equal invites create one channel: the second finds the channel of the first. */
  async receive(peer: RemoteCluster, invite: ChannelInvite): Promise<null> {
    const isDone = (await this.accept(peer, invite)) || (await this.accept(peer, invite));
    if (!isDone) throw new MessageRefused(KNOWN);
    return null;
  }

  async acknowledged(peer: RemoteCluster, sent: JsonObject): Promise<void> {
    const channelId = parseChannelId(sent);
    await this.shared.updateShare(peer.remoteId, channelId, () => ({
      isInviteAccepted: true,
      isInviteConfirmed: true,
      inviteError: '',
    }));
    await this.sender.resend(peer, channelId);
  }

  async refused(peer: RemoteCluster, sent: JsonObject, reason: string): Promise<void> {
    const inviteError = sliceRunes(reason, 0, MAX_ERROR_RUNES);
    await this.shared.updateShare(peer.remoteId, parseChannelId(sent), () => ({ inviteError }));
  }

  /** Returns false if another call has created the channel in the meantime. */
  private async accept(peer: RemoteCluster, invite: ChannelInvite): Promise<boolean> {
    const { channelId } = invite;
    const known = await this.channels.find(channelId);
    if (await this.index.isShared(channelId, peer.remoteId)) await this.update(peer, known, invite);
    else if (known) await this.shareAgain(peer, known);
    else return this.create(peer, invite);
    return true;
  }

  /** Applies changes made on the channel's home server. */
  private async update(peer: RemoteCluster, known: Channel | null, invite: ChannelInvite): Promise<void> {
    const { channelId, type, displayName, header, purpose } = invite;
    if (!known || known.deleteAt > 0 || !(await this.shared.cameFrom(peer, channelId))) return;
    const isSame = known.displayName === displayName && known.header === header && known.purpose === purpose;
    const change = { displayName: displayName || known.displayName, header, purpose };
    try {
      await this.unitOfWork.run(async () => {
        if (!isSame) await this.channels.change(channelId, change);
        if (known.type !== type) await this.channels.convert(peer.creatorId, channelId, type);
      });
    } catch (error) {
      throw error instanceof ValidationFailed ? new MessageRefused(error.message) : error;
    }
  }

  /** Shares a channel that exists here. Throws MessageRefused unless this peer has shared it before. */
  private async shareAgain(peer: RemoteCluster, known: Channel): Promise<void> {
    const isShared = (await this.shared.findShared(known.id)) !== null;
    if (isShared || !(await this.shared.cameFrom(peer, known.id))) throw new MessageRefused(KNOWN);
    await this.unitOfWork.run(() => this.shared.accept(peer, known));
  }

  /** Creates the channel and its share. Returns false if another call has created the channel in the meantime. */
  private async create(peer: RemoteCluster, invite: ChannelInvite): Promise<boolean> {
    const teamId = peer.defaultTeamId;
    const team = await this.teams.find(teamId);
    if (!team || team.deleteAt > 0)
      throw new MessageRefused('The connection has no team here for the channel.');
    const creatorId = (await this.users.find(peer.creatorId))?.id ?? '';
    const { channelId: id, type, displayName, header, purpose } = invite;
    for (const name of candidateNames(invite.name, peer.name)) {
      try {
        await this.unitOfWork.run(async () => {
          const fields = { id, teamId, type, name, header, purpose, displayName: displayName || name };
          const channel = await this.channels.createFor(creatorId, fields); // locks the team
          await this.shared.requireRoom(peer);
          await this.shared.accept(peer, channel);
        });
        return true;
      } catch (error) {
        const isRefusal = error instanceof ValidationFailed || error instanceof TooManyChannels;
        if (!isRefusal) throw error;
        if (!(error instanceof ChannelNameTaken)) throw new MessageRefused(error.message);
        if (await this.channels.find(id)) return false;
      }
    }
    throw new MessageRefused('No free name for the channel was found.');
  }
}

/** `sharedchannel_uninvite`: the peer has stopped sharing a channel. */
@Injectable()
export class UninviteTopic implements Topic<string>, OnModuleInit {
  readonly name = UNINVITE_TOPIC;
  readonly parse = parseChannelId;

  constructor(
    private readonly topics: Topics,
    private readonly shared: SharedChannelsService,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
  }

  async receive(peer: RemoteCluster, channelId: string): Promise<null> {
    await this.shared.end(peer.remoteId, channelId);
    return null;
  }
}
