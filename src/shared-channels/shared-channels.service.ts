import { Injectable } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelConverted } from '../messaging/channels/events/channel-converted.event.js';
import { ChannelUpdated } from '../messaging/channels/events/channel-updated.event.js';
import { ChannelRecords } from '../messaging/channels/channel-records.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { InTransaction } from '../platform/events/listeners.js';
import { newId } from '../platform/common/ids.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { requireUser, type Actor } from '../messaging/permissions/actor.js';
import { RemoteClusterDeleted } from '../remote-cluster/events/remote-cluster-deleted.event.js';
import { PeerMessages } from '../remote-cluster/messages/peer-messages.service.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';
import { ShareIndex } from './share-index.js';
import { SharedChannelRemote } from './shared-channel-remote.entity.js';
import { SharedChannel } from './shared-channel.entity.js';
import { NotShared, ShareRefused } from './shared-channels.errors.js';
import { SharedChannelsRepository, type ShareFilter } from './shared-channels.repository.js';

export const INVITE_TOPIC = 'sharedchannel_invite';
/** Ours: peers that do not know it ignore it. */
export const UNINVITE_TOPIC = 'sharedchannel_uninvite';

/** Channels that several servers share: inviting a peer to one, and ending it. */
@Injectable()
export class SharedChannelsService {
  constructor(
    private readonly repository: SharedChannelsRepository,
    private readonly index: ShareIndex,
    private readonly clusters: RemoteClusterRecords,
    private readonly channels: ChannelRecords,
    private readonly messages: PeerMessages,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  listOfTeam(teamId: string, page: Page): Promise<SharedChannel[]> {
    return this.repository.listOfTeam(teamId, page.offset, page.perPage);
  }

  /** Throws RemoteClusterNotFound. */
  async listShares(filter: ShareFilter, page: Page): Promise<SharedChannelRemote[]> {
    await this.clusters.get(filter.remoteId);
    return this.repository.listShares(filter, page.offset, page.perPage);
  }

  /** Shares a channel of this server. Once more changes nothing, but asks a
   * peer anew that has not accepted. The peer gets what is written from now on. */
  async invite(actor: Actor, remoteId: string, channelId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { peer, channel } = await this.lock(remoteId, channelId);
      if (channel.type !== 'O' && channel.type !== 'P') throw ShareRefused.kind();
      if (channel.deleteAt > 0) throw ShareRefused.archived();
      if (peer.state !== 'confirmed') throw ShareRefused.notConfirmed();
      const shared = await this.repository.findChannel(channelId);
      if (await this.cameFromPeer(channelId)) throw ShareRefused.notHome();
      const creatorId = actor.kind === 'user' ? requireUser(actor) : peer.creatorId;
      const known = await this.repository.findShare(channelId, remoteId);
      if (known?.deleteAt === 0 && known.isInviteAccepted) return;
      if (!shared) await this.insertChannel(channel, { creatorId, remoteId: '' });
      if (known?.deleteAt !== 0) await this.saveShare(known, { channelId, remoteId, creatorId }, false);
      await this.sendInvite(peer, channel, creatorId);
    });
  }

  /** Ends sharing a channel with a peer, which is told so. What it has got stays there. Throws NotShared. */
  async uninvite(remoteId: string, channelId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const peer = await this.clusters.getLiveForUpdate(remoteId);
      if (!(await this.end(remoteId, channelId))) throw new NotShared();
      const message = { topic: UNINVITE_TOPIC, payload: { channel_id: channelId }, subjectId: channelId };
      await this.messages.send([this.messages.build(peer, message)]);
    });
  }

  /** Ends it on this side only. False when it was over already. */
  async end(remoteId: string, channelId: string): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.findShare(channelId, remoteId))) return false;
      await this.channels.getForUpdate(channelId);
      const share = await this.repository.findShare(channelId, remoteId);
      if (share?.deleteAt !== 0) return false;
      const now = this.clock.now();
      await this.repository.updateShare(share.id, { deleteAt: now, updateAt: now });
      if (await this.repository.deleteUnshared(channelId)) await this.channels.setShared(channelId, false);
      this.index.forget();
      return true;
    });
  }

  /** A channel of a peer has been made here. Joins the open unit of work. Throws RemoteClusterNotFound. */
  async takeUp({ remoteId }: RemoteCluster, { id: channelId }: Pick<Channel, 'id'>): Promise<void> {
    const { peer, channel } = await this.lock(remoteId, channelId);
    const { creatorId } = peer;
    if (!(await this.repository.findChannel(channelId)))
      await this.insertChannel(channel, { creatorId, remoteId });
    const known = await this.repository.findShare(channelId, remoteId);
    await this.saveShare(known, { channelId, remoteId, creatorId }, true);
  }

  findShared(channelId: string): Promise<SharedChannel | null> {
    return this.repository.findChannel(channelId);
  }

  /** Whether the channel came here from the server of this peer. Throws PeerNotReached. */
  async cameFrom(peer: RemoteCluster, channelId: string): Promise<boolean> {
    for (const { remoteId, isFromPeer } of await this.repository.sharesOf(channelId)) {
      if (!isFromPeer) continue;
      if (remoteId === peer.remoteId || (await this.clusters.hasReplaced(peer, remoteId))) return true;
    }
    return false;
  }

  /** What the peer has taken of a share. */
  async update(
    remoteId: string,
    channelId: string,
    change: (share: SharedChannelRemote) => Partial<SharedChannelRemote>,
  ): Promise<void> {
    const share = await this.repository.findShare(channelId, remoteId);
    if (share) await this.repository.updateShare(share.id, { ...change(share), updateAt: this.clock.now() });
  }

  /** With its connection a share is over. */
  @InTransaction(RemoteClusterDeleted)
  async onRemoteClusterDeleted({ remoteId }: RemoteClusterDeleted): Promise<void> {
    for (const channelId of await this.repository.channelsSharedWith(remoteId))
      await this.end(remoteId, channelId);
    this.index.forget();
  }

  private async cameFromPeer(channelId: string): Promise<boolean> {
    return (await this.repository.sharesOf(channelId)).some(({ isFromPeer }) => isFromPeer);
  }

  /** Of two changes of a share at the same time one comes after the other; always the connection first. */
  private async lock(
    remoteId: string,
    channelId: string,
  ): Promise<{ readonly peer: RemoteCluster; readonly channel: Channel }> {
    const peer = await this.clusters.getLiveForUpdate(remoteId);
    return { peer, channel: await this.channels.getForUpdate(channelId) };
  }

  /** What is listed is the channel as it is; what it is at its home its peers are told. */
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

  private async sendInvite(peer: RemoteCluster, channel: Channel, creatorId: string): Promise<void> {
    const payload = inviteOf(channel, creatorId);
    await this.messages.send([
      this.messages.build(peer, { topic: INVITE_TOPIC, payload, subjectId: channel.id }),
    ]);
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
      isInviteAccepted: isFromPeer,
      isInviteConfirmed: isFromPeer,
      lastPostUpdateAt: now,
      lastPostId: '',
      lastPostCreateAt: now,
      lastPostCreateId: '',
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

/** The payload of an invite to a channel (docs/contract/shared-channels.md#invite). */
function inviteOf(channel: Channel, creatorId: string) {
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
