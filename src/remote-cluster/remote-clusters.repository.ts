import { Injectable } from '@nestjs/common';
import { Brackets, type FindOptionsWhere, LessThan, LessThanOrEqual, MoreThan, Or } from 'typeorm';
import { FOR_UPDATE } from '../platform/database/transactions.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { ClusterQuery } from './dto/write-remote-cluster.dto.js';
import { RemoteCluster } from './remote-cluster.entity.js';

/** Which connections to list. A field that is undefined or false does not restrict the list. */
export interface RemoteClusterFilter extends Omit<
  ClusterQuery,
  'excludeOffline' | 'inChannel' | 'notInChannel'
> {
  readonly onlineSince: number | undefined;
  /** Only connections with one of these ids. */
  readonly among: readonly string[] | undefined;
  /** No connection with one of these ids. */
  readonly except: readonly string[];
}

/** The rows of secure connections. Deleted connections keep their rows. */
@Injectable()
export class RemoteClustersRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findLive(remoteId: string): Promise<RemoteCluster | null> {
    return this.clusters.findOneBy({ liveId: remoteId, deleteAt: 0 });
  }

  /** The live row of a connection, locked until the open transaction ends. */
  findLiveForUpdate(remoteId: string): Promise<RemoteCluster | null> {
    return this.clusters.findOne({ where: { liveId: remoteId, deleteAt: 0 }, ...FOR_UPDATE });
  }

  /** The live row of a connection, otherwise its newest deleted one. */
  async find(remoteId: string): Promise<RemoteCluster | null> {
    return (
      (await this.findLive(remoteId)) ??
      (await this.clusters.findOne({ where: { remoteId }, order: { createAt: 'DESC', id: 'DESC' } }))
    );
  }

  findRow(id: string): Promise<RemoteCluster | null> {
    return this.clusters.findOneBy({ id, deleteAt: 0 });
  }

  list(filter: RemoteClusterFilter, offset: number, limit: number): Promise<RemoteCluster[]> {
    if (limit === 0 || filter.among?.length === 0) return Promise.resolve([]);
    const query = this.clusters
      .createQueryBuilder('c')
      .orderBy('c.displayName', 'ASC')
      .addOrderBy('c.name', 'ASC')
      .addOrderBy('c.id', 'ASC')
      .skip(offset)
      .take(limit);
    if (!filter.includeDeleted) query.andWhere('c.deleteAt = 0');
    if (filter.onlyConfirmed) query.andWhere("c.state <> 'pending'");
    if (filter.onlyPlugins) query.andWhere("c.pluginId <> ''");
    if (filter.excludePlugins) query.andWhere("c.pluginId = ''");
    if (filter.onlineSince !== undefined)
      query.andWhere('c.lastPingAt > :since', { since: filter.onlineSince });
    if (filter.creatorId !== undefined)
      query.andWhere('c.creatorId = :creatorId', { creatorId: filter.creatorId });
    if (filter.pluginId !== undefined)
      query.andWhere('c.pluginId = :pluginId', { pluginId: filter.pluginId });
    if (filter.topic !== undefined) {
      const { topic } = filter;
      query.andWhere(
        new Brackets((any) => any.where("c.topics = '*'").orWhere('INSTR(c.topics, :topic) > 0', { topic })),
      );
    }
    if (filter.among) query.andWhere('c.remoteId IN (:...among)', { among: filter.among });
    if (filter.except.length > 0) query.andWhere('c.remoteId NOT IN (:...except)', { except: filter.except });
    return query.getMany();
  }

  /** The live connections to ping, most recently answered first. */
  listConfirmed(): Promise<RemoteCluster[]> {
    return this.clusters.find({
      where: { state: 'confirmed', deleteAt: 0, pluginId: '' },
      order: { lastPingAt: 'DESC', id: 'ASC' },
    });
  }

  async insert(cluster: RemoteCluster): Promise<void> {
    await this.clusters.insert(cluster);
  }

  /**
   * Updates a live row if it matches `where`. Returns false if it does not, or if the connection was deleted in
   * the meantime.
   */
  async update(
    id: string,
    change: Partial<RemoteCluster>,
    where: FindOptionsWhere<RemoteCluster> = {},
  ): Promise<boolean> {
    const { affected } = await this.clusters.update({ ...where, id, deleteAt: 0 }, change);
    return affected === 1;
  }

  /**
   * Claims the ping of a peer until `until`. Returns false if the connection was deleted, or if a ping is in
   * progress whose deadline is not after `latest`.
   */
  claimPing(id: string, now: number, until: number, latest: number): Promise<boolean> {
    return this.update(
      id,
      { pingedUntil: until },
      { pingedUntil: Or(LessThanOrEqual(now), MoreThan(latest)) },
    );
  }

  /** Releases the claim. Returns false if it was lost or the connection was deleted. */
  endPing(id: string, until: number, change: Partial<RemoteCluster> = {}): Promise<boolean> {
    return this.update(id, { ...change, pingedUntil: 0 }, { pingedUntil: until });
  }

  async endAllPings(): Promise<void> {
    await this.clusters.update({ pingedUntil: MoreThan(0) }, { pingedUntil: 0 });
  }

  /** Returns whether the peer was not announced as online before. */
  announceOnline(id: string, presenceSince: number): Promise<boolean> {
    return this.update(id, { isAnnouncedOnline: true, presenceSince }, { isAnnouncedOnline: false });
  }

  /** Returns whether the peer was announced as online before and has not answered since `time`. */
  announceOffline(id: string, time: number): Promise<boolean> {
    const where = { isAnnouncedOnline: true, lastPingAt: LessThanOrEqual(time) };
    return this.update(id, { isAnnouncedOnline: false }, where);
  }

  /** Records a call by the peer, unless another process has recorded a later one. */
  async noteHeard(id: string, lastHeardAt: number): Promise<void> {
    await this.update(id, { lastHeardAt }, { lastHeardAt: LessThan(lastHeardAt) });
  }

  /** Removes the row of a failed acceptance. Returns false if none. */
  async removeUnaccepted(id: string): Promise<boolean> {
    const { affected } = await this.clusters.delete({ id, state: 'confirming' });
    return affected === 1;
  }

  /** Removes the rows of acceptances that began before `time` and returns their number. */
  async removeAllUnaccepted(time: number): Promise<number> {
    const { affected } = await this.clusters.delete({ state: 'confirming', createAt: LessThan(time) });
    return affected ?? 0;
  }

  private get clusters() {
    return this.unitOfWork.manager.getRepository(RemoteCluster);
  }
}
