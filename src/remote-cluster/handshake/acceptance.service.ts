import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import type { JsonObject } from '../../platform/common/json.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { TeamRecords } from '../../messaging/teams/team-records.js';
import type { AcceptInviteDto } from '../dto/write-remote-cluster.dto.js';
import { RemoteClusterConfirmed } from '../events/remote-cluster-confirmed.event.js';
import { hasTokenRefresh, type Invite, parseInvite } from '../invite/invite.js';
import { InviteCodec } from '../invite/invite-codec.js';
import { newFrame } from '../peer/frame.js';
import { PeerClient, PeerFailure } from '../peer/peer-client.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { requireValidCluster } from '../remote-cluster.rules.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import {
  AcceptanceFailed,
  ConfirmationRefused,
  InviteRefused,
  PeerTokenInvalid,
} from '../remote-clusters.errors.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import { RemoteClustersService, requirePassword } from '../remote-clusters.service.js';
import { isSameSite, trimSiteUrl } from '../site-url.js';
import { InviteLimiter } from './invite-limiter.js';

const CONFIRM_TIMEOUT_MS = 15_000;
const PAYLOAD_VERSION = 3;

/** The acceptor's side of the handshake (docs/contract/secure-connections.md#handshake). */
@Injectable()
export class AcceptanceService implements OnApplicationBootstrap {
  private readonly logger = new Logger(AcceptanceService.name);
  private readonly limiter = new InviteLimiter();

  constructor(
    private readonly clusters: RemoteClustersService,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly codec: InviteCodec,
    private readonly peers: PeerClient,
    private readonly teams: TeamRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** An acceptance that was under way when the process died is over: nobody waits for it, and it can be tried again. */
  async onApplicationBootstrap(): Promise<void> {
    const removed = await this.repository.removeAllUnaccepted();
    if (removed > 0)
      this.logger.warn(`Removed ${removed} secure connections whose acceptance was not finished.`);
  }

  /**
   * Stores the connection, then asks the inviter to confirm it: the inviter calls back before it answers. Whatever goes
   * wrong, exactly this row is removed again. Throws AcceptanceFailed, or what is wrong with the input.
   */
  async accept(actor: Actor, input: AcceptInviteDto): Promise<RemoteCluster> {
    await this.requireTeam(input.default_team_id ?? '');
    const invite = await this.open(actor, input);
    const ownSiteUrl = this.clusters.ownSiteUrl;
    const token = newId();
    const remoteToken = hasTokenRefresh(invite) ? newId() : invite.token;
    const cluster = await this.clusters.build(actor, input, {
      remoteId: invite.remoteId,
      state: 'confirming',
      siteUrl: trimSiteUrl(invite.siteUrl),
      tokenHash: this.tokens.hash(token),
      sealedToken: '',
      sealedRemoteToken: this.tokens.seal(remoteToken),
    });
    requireValidCluster(cluster);
    if (isSameSite(cluster.siteUrl, ownSiteUrl)) throw new InviteRefused('it is an invite of this server.');
    await this.save(cluster);
    try {
      await this.confirm(invite, {
        remote_id: invite.remoteId,
        remote_team_id: '',
        site_url: ownSiteUrl,
        token,
        ...(hasTokenRefresh(invite) ? { refreshed_token: remoteToken, version: PAYLOAD_VERSION } : {}),
      });
      return await this.finish(cluster);
    } catch (error) {
      await this.remove(cluster);
      throw error;
    }
  }

  private async requireTeam(teamId: string): Promise<void> {
    if (teamId === '') throw new InvalidBodyParam('remoteCluster.default_team_id');
    const team = await this.teams.find(teamId);
    if (!team || team.deleteAt > 0)
      throw new InvalidBodyParam('remoteCluster.default_team_id', 'there is no such team');
  }

  private async open(actor: Actor, input: AcceptInviteDto): Promise<Invite> {
    const password = requirePassword(input.password ?? '');
    this.limiter.take(actor.userId, this.clock.now());
    return parseInvite(await this.codec.open(input.invite ?? '', password));
  }

  private async save(cluster: RemoteCluster): Promise<void> {
    const taken = new InviteRefused('the connection exists here already.');
    const known = await this.repository.find(cluster.remoteId);
    if (known?.deleteAt === 0) throw taken;
    // What came over the earlier one would be that peer's as well.
    if (known && known.siteUrl !== cluster.siteUrl)
      throw new InviteRefused('there was a connection with this id to another server.');
    try {
      await this.clusters.insert(cluster);
    } catch (error) {
      throw isDuplicateKey(error) ? taken : error;
    }
  }

  private async confirm({ remoteId, siteUrl, token }: Invite, payload: JsonObject): Promise<void> {
    const frame = newFrame(remoteId, 'invitation', this.clock.now(), payload);
    try {
      const reply = await this.peers.send(
        { remoteId, siteUrl, token },
        'confirm_invite',
        frame,
        CONFIRM_TIMEOUT_MS,
      );
      if (reply['status'] !== 'OK') throw new PeerFailure('The peer refused.');
    } catch (error) {
      if (error instanceof PeerFailure)
        throw new AcceptanceFailed(error.message, isInviteSpent(error), error.errorId);
      throw error;
    }
  }

  private async finish(cluster: RemoteCluster): Promise<RemoteCluster> {
    await this.unitOfWork.run(async () => {
      if (!(await this.repository.finishAcceptance(cluster.id)))
        throw new AcceptanceFailed('the connection was deleted meanwhile.');
      this.clusters.forget(cluster.remoteId);
      await this.events.publish(new RemoteClusterConfirmed(cluster.remoteId, cluster.id));
    });
    return { ...cluster, state: 'confirmed' };
  }

  private async remove({ id, remoteId }: RemoteCluster): Promise<void> {
    try {
      await this.unitOfWork.run(async () => {
        await this.repository.removeUnaccepted(id);
        this.clusters.forget(remoteId);
      });
    } catch (error) {
      this.logger.error(
        'A connection that was not confirmed could not be removed; the next start removes it.',
        stackOf(error),
      );
    }
  }
}

/**
 * Whether the inviter itself has said that the invite is no good, or not any more
 * (docs/contract/secure-connections.md#peer-authentication). What it does not like of us has other ids, and what
 * answers in its place, such as a proxy, has none.
 */
function isInviteSpent({ status, errorId }: PeerFailure): boolean {
  const spent = [new PeerTokenInvalid(), ConfirmationRefused.expired(), ConfirmationRefused.notPending()];
  return spent.some((refusal) => refusal.id === errorId && refusal.status === status);
}
