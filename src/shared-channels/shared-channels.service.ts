import { Injectable } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelConverted, ChannelUpdated } from '../messaging/channels/channels.events.js';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { InTransaction } from '../platform/events/listeners.js';
import { newId } from '../platform/common/ids.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { type Actor, requireUser } from '../messaging/permissions/actor.js';
import { RemoteClusterDeleted } from '../remote-cluster/remote-cluster.events.js';
import { MessageRefused } from '../remote-cluster/messages/topics.js';
import { PeerMessages } from '../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';
import { SharedChannelsReadModel } from './shared-channels.read-model.js';
import type { JsonObject } from '../platform/common/json.js';
import { ShareIndex, type ShareState, stateOf } from './share-index.js';
import { SharedChannel, SharedChannelRemote } from './shared-channel.entity.js';
import {
  archivedChannelNotShareable,
  channelOfOtherServer,
  channelTypeNotShareable,
  connectionNotConfirmed,
  notShared,
} from './shared-channels.errors.js';
import { SharedChannelsSettings } from './shared-channels.settings.js';
import { SharedChannelsRepository, type ShareFilter } from './shared-channels.repository.js';

export const INVITE_TOPIC = 'sharedchannel_invite';
/** An extension of this server. Peers that do not know it ignore it. */
export const UNINVITE_TOPIC = 'sharedchannel_uninvite';

/** Shares channels with peers, and ends the sharing. */
@Injectable()
export class SharedChannelsService {
  constructor(
    private readonly repository: SharedChannelsRepository,
    private readonly readModel: SharedChannelsReadModel,
    private readonly index: ShareIndex,
    private readonly clusters: RemoteClusterRecords,
    private readonly channels: ChannelsService,
    private readonly messages: PeerMessages,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly settings: SharedChannelsSettings,
  ) {}

  listOfTeam(teamId: string, page: Page): Promise<SharedChannel[]> {
    return this.repository.listOfTeam(teamId, page.offset, page.perPage);
  }

  /** Throws RemoteClusterNotFound. */
  async listShares(filter: ShareFilter, page: Page): Promise<[SharedChannelRemote, ShareState][]> {
    const peer = await this.clusters.get(filter.remoteId);
    const shares = await this.repository.listShares(filter, page.offset, page.perPage);
    if (shares.length === 0) return [];
    const lag = await this.readModel.lagOf(peer);
    return shares.map((share) => [share, stateOf(share, lag, this.clock.now())]);
  }

  /**
   * Shares a channel of this server with a peer, which gets all later posts. A repeated call resends an
   * unaccepted invite. A channel of the peer that was withdrawn here is shared again. Throws
   * RemoteClusterNotFound, archivedChannelNotShareable, channelOfOtherServer, channelTypeNotShareable, connectionNotConfirmed, `peerNotReached`, and what ChannelsService.getForUpdate throws.
   */
  async invite(actor: Actor, remoteId: string, channelId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { peer, channel } = await this.lock(remoteId, channelId);
      if (channel.type !== 'O' && channel.type !== 'P') throw channelTypeNotShareable();
      if (channel.deleteAt > 0) throw archivedChannelNotShareable();
      if (peer.state !== 'confirmed') throw connectionNotConfirmed();
      const shared = await this.repository.findChannel(channelId);
      if (await this.reopenOwn(peer, channel)) return;
      if (await this.cameFromPeer(channelId)) throw channelOfOtherServer();
      const creatorId = actor.kind === 'user' ? requireUser(actor) : peer.creatorId;
      const known = await this.repository.findShare(channelId, remoteId);
      if (known?.deleteAt === 0 && known.isInviteAccepted) return;
      if (!shared) await this.insertChannel(channel, { creatorId, remoteId: '' });
      if (known?.deleteAt !== 0) await this.saveShare(known, { channelId, remoteId, creatorId }, false);
      await this.sendInvite(peer, channel, creatorId);
    });
  }

  /**
   * Ends sharing a channel with a peer and notifies it. The peer keeps its copy, and cannot share the channel
   * again on its own. Throws `notShared`.
   */
  async uninvite(remoteId: string, channelId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const peer = await this.clusters.getLiveForUpdate(remoteId);
      if (!(await this.end(remoteId, channelId, true))) throw notShared();
      const payload = { channel_id: channelId };
      await this.messages.send(peer, { topic: UNINVITE_TOPIC, payload, subjectId: channelId });
    });
  }

  /**
   * Ends sharing on this side only; `isWithdrawn` means that this side decided it. Returns false if the
   * channel is not shared with the peer.
   */
  async end(remoteId: string, channelId: string, isWithdrawn = false): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.findShare(channelId, remoteId))) return false;
      await this.channels.getForUpdate(channelId);
      const share = await this.repository.findShare(channelId, remoteId);
      if (share?.deleteAt !== 0) return false;
      const now = this.clock.now();
      await this.repository.updateShare(share.id, { deleteAt: now, updateAt: now, isWithdrawn });
      if (await this.repository.deleteUnshared(channelId)) await this.channels.setShared(channelId, false);
      this.index.forget();
      return true;
    });
  }

  /**
   * Shares a channel that came from a peer. Must run in a unit of work. Throws RemoteClusterNotFound, and MessageRefused
   * if this side has withdrawn it.
   */
  async accept({ remoteId }: RemoteCluster, { id: channelId }: Pick<Channel, 'id'>): Promise<void> {
    const { peer, channel } = await this.lock(remoteId, channelId);
    const { creatorId } = peer;
    await this.requireNotWithdrawn(peer, channelId);
    if (!(await this.repository.findChannel(channelId)))
      await this.insertChannel(channel, { creatorId, remoteId });
    const known = await this.repository.findShare(channelId, remoteId);
    await this.saveShare(known, { channelId, remoteId, creatorId }, true);
  }

  /**
   * Throws MessageRefused, which the peer sees, if the connection has reached its channel limit. The team of
   * the connection must be locked, so that two concurrent invites cannot exceed the limit.
   */
  async requireRoom({ remoteId }: RemoteCluster): Promise<void> {
    const { maxChannelsPerConnection } = this.settings;
    if ((await this.readModel.countChannels(remoteId)) >= maxChannelsPerConnection)
      throw new MessageRefused(
        `The connection already has ${maxChannelsPerConnection} channels of your server here.`,
      );
  }

  /** Throws MessageRefused, which the peer sees, if this side has ended sharing the channel with its server. */
  async requireNotWithdrawn(peer: RemoteCluster, channelId: string): Promise<void> {
    for (const { remoteId, isWithdrawn } of await this.repository.sharesOf(channelId)) {
      if (isWithdrawn && (await this.clusters.isSameServer(peer, remoteId)))
        throw new MessageRefused('The administrators of this server have ended the sharing of this channel.');
    }
  }

  findShared(channelId: string): Promise<SharedChannel | null> {
    return this.repository.findChannel(channelId);
  }

  /** Whether the channel came here from the server of this peer. Throws `peerNotReached`. */
  async cameFrom(peer: RemoteCluster, channelId: string): Promise<boolean> {
    for (const { remoteId, isFromPeer } of await this.repository.sharesOf(channelId)) {
      if (isFromPeer && (await this.clusters.owns(peer, remoteId))) return true;
    }
    return false;
  }

  async updateShare(
    remoteId: string,
    channelId: string,
    change: (share: SharedChannelRemote) => Partial<SharedChannelRemote>,
  ): Promise<void> {
    const share = await this.repository.findShare(channelId, remoteId);
    if (share) await this.repository.updateShare(share.id, { ...change(share), updateAt: this.clock.now() });
  }

  @InTransaction(RemoteClusterDeleted)
  async onRemoteClusterDeleted({ remoteId }: RemoteClusterDeleted): Promise<void> {
    for (const channelId of await this.repository.channelsSharedWith(remoteId))
      await this.end(remoteId, channelId);
    this.index.forget();
  }

  /** Copies the change to the shared channel. If its home is here, also notifies its peers. */
  @InTransaction(ChannelUpdated)
  @InTransaction(ChannelConverted)
  async onChannelChanged({ channelId }: ChannelUpdated | ChannelConverted): Promise<void> {
    const shared = await this.repository.findChannel(channelId);
    if (!shared) return;
    const channel = await this.channels.get(channelId);
    const { name, displayName, purpose, header, type } = channel;
    const change = { name, displayName, purpose, header, type, updateAt: this.clock.now() };
    await this.repository.updateChannel(channelId, change);
    if (!shared.home) return;
    for (const { remoteId, deleteAt } of await this.repository.sharesOf(channelId)) {
      const peer = deleteAt === 0 ? await this.clusters.findLive(remoteId) : null;
      if (peer) await this.sendInvite(peer, channel, shared.creatorId);
    }
  }

  /** Shares a withdrawn channel of the peer again. Returns false if none exists. Throws `peerNotReached`. */
  private async reopenOwn(peer: RemoteCluster, channel: Channel): Promise<boolean> {
    const shares = await this.repository.sharesOf(channel.id);
    const withdrawn = shares.filter((share) => share.isFromPeer && share.isWithdrawn);
    if (withdrawn.length === 0 || !(await this.cameFrom(peer, channel.id))) return false;
    for (const { id } of withdrawn) await this.repository.updateShare(id, { isWithdrawn: false });
    await this.accept(peer, channel);
    return true;
  }

  private async cameFromPeer(channelId: string): Promise<boolean> {
    return (await this.repository.sharesOf(channelId)).some(({ isFromPeer }) => isFromPeer);
  }

  /** Locks connection, then channel, until the unit of work ends. The fixed order prevents deadlocks. */
  private async lock(
    remoteId: string,
    channelId: string,
  ): Promise<{ readonly peer: RemoteCluster; readonly channel: Channel }> {
    const peer = await this.clusters.getLiveForUpdate(remoteId);
    return { peer, channel: await this.channels.getForUpdate(channelId) };
  }

  private async sendInvite(peer: RemoteCluster, channel: Channel, creatorId: string): Promise<void> {
    const payload = channelInviteOf(channel, creatorId);
    await this.messages.send(peer, { topic: INVITE_TOPIC, payload, subjectId: channel.id });
  }

  private async saveShare(
    known: SharedChannelRemote | null,
    place: Pick<SharedChannelRemote, 'channelId' | 'remoteId' | 'creatorId'>,
    isFromPeer: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    await this.repository.saveShare({
      id: known?.id ?? newId(),
      ...place,
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      isFromPeer,
      isWithdrawn: false,
      isInviteAccepted: isFromPeer,
      isInviteConfirmed: isFromPeer,
      inviteError: '',
      lastPostUpdateAt: now,
      lastPostId: '',
      lastPostCreateAt: now,
      lastPostCreateId: '',
      isBehind: false,
    });
    this.index.forget();
  }

  private async insertChannel(
    channel: Channel,
    { creatorId, remoteId }: Pick<SharedChannel, 'creatorId' | 'remoteId'>,
  ): Promise<void> {
    const now = this.clock.now();
    const { id: channelId, teamId, name, displayName, purpose, header, type } = channel;
    await this.repository.insertChannel({
      ...{ channelId, teamId, name, displayName, purpose, header, type, creatorId, remoteId },
      home: remoteId === '',
      readonly: false,
      createAt: now,
      updateAt: now,
    });
    await this.channels.setShared(channelId, true);
  }
}

function channelInviteOf(channel: Channel, creatorId: string): JsonObject {
  return {
    channel_id: channel.id,
    team_id: channel.teamId,
    read_only: false,
    name: channel.name,
    display_name: channel.displayName,
    header: channel.header,
    purpose: channel.purpose,
    type: channel.type,
    creator_id: creatorId,
    direct_participant_ids: [],
  };
}
