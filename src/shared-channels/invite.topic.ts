import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelNameTaken, TooManyChannels } from '../messaging/channels/channels.errors.js';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import type { JsonObject } from '../platform/common/json.js';
import { sliceRunes } from '../platform/common/utf8.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TeamRecords } from '../messaging/teams/team-records.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { MessageRefused, type Topic, Topics } from '../remote-cluster/messages/topics.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { candidateNames, type ChannelInvite, parseChannelId, parseChannelInvite } from './channel-invite.js';
import { MissedPosts } from './sync/missed-posts.service.js';
import { ShareIndex } from './share-index.js';
import { MAX_ERROR_RUNES } from './shared-channel.entity.js';
import { INVITE_TOPIC, SharedChannelsService } from './shared-channels.service.js';

const KNOWN = 'A channel with this id is here already, perhaps over another connection of your server.';

/**
 * `sharedchannel_invite`: a peer shares a channel, which is created in the connection's team, or announces a
 * change to a channel it already shares.
 */
@Injectable()
export class InviteTopic implements Topic<ChannelInvite>, OnModuleInit {
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
  }

  parse(payload: unknown): ChannelInvite {
    return parseChannelInvite(payload);
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
    await this.missed.resend(peer, channelId);
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
        if (!isSame) await this.channels.update(channelId, change);
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
      throw new MessageRefused('The connection has no team here in which the channel could appear.');
    const creatorId = (await this.users.find(peer.creatorId))?.id ?? '';
    const { channelId: id, type, displayName, header, purpose } = invite;
    for (const name of candidateNames(invite.name, peer.name)) {
      try {
        await this.unitOfWork.run(async () => {
          const fields = { id, teamId, type, name, header, purpose, displayName: displayName || name };
          const channel = await this.channels.create(creatorId, fields); // locks the team
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
