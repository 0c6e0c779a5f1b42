import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChannelNameTaken, TooManyChannels } from '../messaging/channels/channels.errors.js';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import type { JsonObject } from '../platform/common/json.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { MessageRefused, type Topic, Topics } from '../remote-cluster/messages/topics.js';
import { isObject } from '../remote-cluster/peer/frame.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { isPlainId } from '../remote-cluster/remote-cluster.rules.js';
import { MissedPosts } from './sync/missed-posts.service.js';
import { ShareIndex } from './share-index.js';
import { INVITE_TOPIC, SharedChannelsService, UNINVITE_TOPIC } from './shared-channels.service.js';

const MAX_NAME_LENGTH = 64;
const MAX_LENGTHS = { type: 1, name: 128, display_name: 128, header: 2_048, purpose: 512 };

/** A channel that a peer shares with us. */
interface ChannelInvite {
  readonly channelId: string;
  readonly name: string;
  readonly displayName: string;
  readonly header: string;
  readonly purpose: string;
  readonly type: 'O' | 'P';
}

/** `sharedchannel_invite`: the channel of a peer appears here, in the team of the connection. */
@Injectable()
export class ChannelInviteTopic implements Topic<ChannelInvite>, OnModuleInit {
  readonly name = INVITE_TOPIC;

  constructor(
    private readonly topics: Topics,
    private readonly shared: SharedChannelsService,
    private readonly index: ShareIndex,
    private readonly missed: MissedPosts,
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.topics.register(this);
    this.topics.register({
      name: UNINVITE_TOPIC,
      parse: channelIdOf,
      receive: async (peer, channelId) => {
        await this.shared.end(peer.remoteId, channelId);
        return null;
      },
    });
  }

  parse(payload: unknown): ChannelInvite {
    const channelId = channelIdOf(payload);
    const invite = payload as Record<string, unknown>;
    const text = (field: keyof typeof MAX_LENGTHS): string => {
      const value = invite[field] ?? '';
      const max = MAX_LENGTHS[field];
      if (typeof value !== 'string' || value.length > max || value.includes('\0'))
        throw new MessageRefused(`Invalid ${field}: it must be a text of at most ${max} characters.`);
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
      displayName: text('display_name') || name,
      header: text('header'),
      purpose: text('purpose'),
    };
  }

  /** The same invite twice makes one channel. */
  async receive(peer: RemoteCluster, invite: ChannelInvite): Promise<null> {
    const { channelId } = invite;
    if (await this.index.isShared(channelId, peer.remoteId)) {
      await this.follow(peer, invite);
      return null;
    }
    const known = await this.channels.find(channelId);
    if (known) {
      // Ours, another peer's, or one that this peer has shared before.
      const shared = await this.shared.findShared(channelId);
      if (shared || !(await this.shared.cameFrom(peer, channelId)))
        throw new MessageRefused('There is another channel with this id here.');
      await this.unitOfWork.run(() => this.shared.takeUp(peer, known));
    } else if (!(await this.make(peer, invite))) await this.receive(peer, invite);
    return null;
  }

  async acknowledged(peer: RemoteCluster, sent: JsonObject): Promise<void> {
    const channelId = channelIdOf(sent);
    const accepted = { isInviteAccepted: true, isInviteConfirmed: true };
    await this.shared.update(peer.remoteId, channelId, () => accepted);
    await this.missed.resend(peer, channelId);
  }

  /** The channel has changed at its home. */
  private async follow(peer: RemoteCluster, invite: ChannelInvite): Promise<void> {
    const { channelId, type, displayName, header, purpose } = invite;
    const known = await this.channels.find(channelId);
    if (!known || known.deleteAt > 0 || !(await this.shared.cameFrom(peer, channelId))) return;
    try {
      await this.unitOfWork.run(async () => {
        if (known.displayName !== displayName || known.header !== header || known.purpose !== purpose)
          await this.channels.update(channelId, {
            displayName: displayName || known.displayName,
            header,
            purpose,
          });
        if (known.type !== type) await this.channels.convert(peer.creatorId, channelId, type);
      });
    } catch (error) {
      throw error instanceof ValidationFailed ? new MessageRefused(error.message) : error;
    }
  }

  /** Makes the channel and the share at once; false when another call has just made a channel with this id. */
  private async make(peer: RemoteCluster, invite: ChannelInvite): Promise<boolean> {
    const teamId = peer.defaultTeamId;
    const team = await this.teams.find(teamId);
    if (!team || team.deleteAt > 0)
      throw new MessageRefused('The connection has no team here in which the channel could appear.');
    const creatorId = (await this.users.find(peer.creatorId))?.id ?? '';
    const { channelId: id, type, displayName, header, purpose } = invite;
    for (const name of namesFor(invite.name, peer.name)) {
      try {
        await this.unitOfWork.run(async () => {
          const fields = { id, teamId, type, name, header, purpose, displayName: displayName || name };
          await this.shared.takeUp(peer, await this.channels.create(creatorId, fields));
        });
        return true;
      } catch (error) {
        const isRefusal = error instanceof ValidationFailed || error instanceof TooManyChannels;
        if (isRefusal && !(error instanceof ChannelNameTaken)) throw new MessageRefused(error.message);
        if (!isRefusal) throw error;
        if (await this.channels.find(id)) return false;
      }
    }
    throw new MessageRefused('No free name for the channel was found.');
  }
}

/** The name itself, else with the name of the connection, else with something that nobody has. */
function namesFor(name: string, source: string): string[] {
  const clean = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[-_]+|[-_]+$/g, '');
  const base = clean(name) || 'shared';
  const marked = clean(
    `${base.slice(0, MAX_NAME_LENGTH - 1 - Math.min(source.length, 24))}-${source.slice(0, 24)}`,
  );
  return [base, marked, `${base.slice(0, MAX_NAME_LENGTH - 27)}-${newId()}`].map((text) =>
    text.slice(0, MAX_NAME_LENGTH),
  );
}

function channelIdOf(payload: unknown): string {
  const id = isObject(payload) ? payload['channel_id'] : undefined;
  if (!isPlainId(id)) throw new MessageRefused('Invalid channel_id: it must be 26 letters and digits.');
  return id;
}
