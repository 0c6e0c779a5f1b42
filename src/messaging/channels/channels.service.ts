import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { InTransaction } from '../../platform/events/listeners.js';
import type { Actor } from '../permissions/actor.js';
import { teamIsArchived } from '../teams/teams.errors.js';
import { TeamCreated } from '../teams/teams.events.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../users/users.service.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMembersService } from './channel-members.service.js';
import type { Channel } from './channel.entity.js';
import {
  DEFAULT_CHANNEL,
  DEFAULT_CHANNELS,
  newChannel,
  requireValidChannel,
  requireValidHeader,
} from './channel.rules.js';
import * as errors from './channels.errors.js';
import * as events from './channels.events.js';
import { ChannelsPolicy } from './channels.policy.js';
import { ChannelsReadModel } from './channels.read-model.js';
import { type ChannelColumns, type ChannelName, ChannelsRepository } from './channels.repository.js';
import {
  channelPatchOf,
  type ChannelPrivacyDto,
  type ChannelStatsDto,
  channelUpdateOf,
  type CreateChannelDto,
  type PatchChannelDto,
  type UpdateChannelDto,
} from './dto/channel.dto.js';

/** The maximum number of channels in a team, not counting archived ones. */
const MAX_CHANNELS_PER_TEAM = 2000;

/** A new open or private channel; omitted fields are empty. `id`: of a channel that exists on another server. */
export type NewChannel = Pick<Channel, 'teamId' | 'type' | 'name' | 'displayName'> &
  Partial<Pick<Channel, 'id' | 'header' | 'purpose'>>;

/** The fields of a channel that can change; omitted fields stay unchanged. */
export type ChannelChange = Partial<Pick<Channel, 'name' | 'displayName' | 'header' | 'purpose'>>;

/**
 * Channel use cases. Methods that take an actor apply the checks in the contract's order
 * (docs/contract/messaging.md#channel-calls); the others do not check permissions. ChannelsRepository describes the
 * reads that it has too.
 */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly repository: ChannelsRepository,
    private readonly readModel: ChannelsReadModel,
    private readonly members: ChannelMembersRepository,
    private readonly memberships: ChannelMembersService,
    private readonly policy: ChannelsPolicy,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  find(id: string): Promise<Channel | null> {
    return this.repository.find(id);
  }

  get(id: string): Promise<Channel> {
    return this.repository.get(id);
  }

  getFresh(id: string): Promise<Channel> {
    return this.repository.getFresh(id);
  }

  getForUpdate(id: string): Promise<Channel> {
    return this.repository.getForUpdate(id);
  }

  findByName(teamId: string, name: string): Promise<Channel | null> {
    return this.repository.findByName(teamId, name);
  }

  listNames(teamId: string): Promise<readonly ChannelName[]> {
    return this.repository.listNames(teamId);
  }

  listByActivity(
    userId: string,
    teamId: string,
    includeArchived: boolean,
    limit: number,
  ): Promise<Pick<Channel, 'id' | 'name'>[]> {
    return this.repository.listByActivity(userId, teamId, includeArchived, limit);
  }

  /** Whether a channel or its team is archived, so that nothing can be posted there. */
  async isArchived({ deleteAt, teamId }: Channel): Promise<boolean> {
    return deleteAt > 0 || (await this.teams.isArchived(teamId));
  }

  async create(actor: Actor, body: CreateChannelDto): Promise<Channel> {
    const { team_id: teamId, display_name: displayName, name, type, header, purpose } = body;
    if (!isId(teamId)) throw new InvalidBodyParam('team_id', 'it must be 26 letters and digits');
    if (displayName === '') throw new InvalidBodyParam('display_name');
    await this.policy.requireCreate(actor, teamId, type);
    if (type === 'D' || type === 'G') throw errors.refusals.directThroughCreate();
    if (body.id) throw errors.refusals.idGiven();
    const maxOwn = await this.policy.maxOwnChannels(actor, teamId);
    return this.createFor(actor.userId, { teamId, displayName, name, type, header, purpose }, maxOwn);
  }

  /**
   * Creates an open or private channel. The creator becomes its administrator; without one (`''`) the channel has no
   * members. `maxOwn` limits the creator's channels in the team. Throws `teamNotFound`, `teamIsArchived`,
   * ValidationFailed, TooManyChannels, `tooManyOwnChannels`, ChannelNameTaken.
   */
  async createFor(creatorId: string, input: NewChannel, maxOwn = Infinity): Promise<Channel> {
    const creator = creatorId === '' ? null : await this.users.get(creatorId);
    if ((await this.teams.get(input.teamId)).deleteAt > 0) throw teamIsArchived();
    const channel = newChannel(this.clock.now(), { ...input, creatorId });
    requireValidChannel(channel);
    this.audit.concerns({ id: channel.id });
    await this.unitOfWork.run(async () => {
      await this.requireRoom(input.teamId, creatorId, maxOwn);
      await this.insert([channel]);
      if (creator) await this.memberships.join(channel, creator, creatorId, { isAdmin: true });
    });
    return channel;
  }

  /** Creates the default channels of a new team. */
  @InTransaction(TeamCreated)
  async onTeamCreated({ teamId }: TeamCreated): Promise<void> {
    const now = this.clock.now();
    const fields = { teamId, type: 'O', creatorId: '' };
    await this.insert(DEFAULT_CHANNELS.map((names) => newChannel(now, { ...fields, ...names })));
  }

  async view(actor: Actor, id: string): Promise<Channel> {
    const channel = await this.getFresh(id);
    await this.policy.requireRead(actor, channel);
    return channel;
  }

  async stats(actor: Actor, id: string, excludesFiles: boolean): Promise<ChannelStatsDto> {
    await this.policy.requireRead(actor, await this.get(id));
    return {
      channel_id: id,
      member_count: await this.members.count(id),
      guest_count: 0,
      pinnedpost_count: await this.readModel.countPinned(id),
      files_count: excludesFiles ? -1 : 0,
    };
  }

  async timezones(actor: Actor, id: string): Promise<string[]> {
    await this.policy.requireRead(actor, await this.get(id));
    return this.readModel.timezones(id);
  }

  async update(actor: Actor, id: string, body: UpdateChannelDto): Promise<Channel> {
    if (body.id !== id) throw new InvalidBodyParam('channel_id', 'the id must be that of the path');
    const channel = await this.get(id);
    await this.policy.requireProperties(actor, channel);
    if (body.type && body.type !== channel.type) throw errors.refusals.typeChange();
    return this.changeFields(channel, channelUpdateOf(body));
  }

  async patch(actor: Actor, id: string, body: PatchChannelDto): Promise<Channel> {
    const change = channelPatchOf(body);
    const channel = await this.get(id);
    if (Object.keys(change).length === 0) throw errors.refusals.nothingToChange();
    await this.policy.requireProperties(actor, channel);
    return this.changeFields(channel, change);
  }

  /** Throws `channelNotFound`, `refusals.archived`, ChannelNameTaken, or ValidationFailed. */
  async change(id: string, change: ChannelChange): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      const changed = { ...channel, ...change };
      if (channel.deleteAt > 0) throw errors.refusals.archived();
      if (channel.name === DEFAULT_CHANNEL && changed.name !== DEFAULT_CHANNEL)
        throw errors.refusals.defaultRename();
      if (channel.teamId === '') requireValidHeader(changed.header);
      else requireValidChannel(changed);
      return this.save(channel, change, new events.ChannelUpdated(id));
    });
  }

  async setPrivacy(actor: Actor, id: string, { privacy }: ChannelPrivacyDto): Promise<Channel> {
    if (privacy !== 'O' && privacy !== 'P')
      throw new InvalidBodyParam('privacy', 'it must be O (open) or P (private)');
    await this.get(id);
    await this.policy.requireConvert(actor, id, privacy);
    return this.convert(actor.userId, id, privacy);
  }

  /** Makes a channel open or private; does nothing if it is already. */
  async convert(actorId: string, id: string, type: 'O' | 'P'): Promise<Channel> {
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.teamId === '') throw errors.refusals.typeChange();
      if (channel.name === DEFAULT_CHANNEL && type === 'P') throw errors.refusals.defaultPrivacy();
      if (channel.deleteAt > 0) throw errors.refusals.archived();
      if (channel.type === type) return channel;
      return this.save(channel, { type }, new events.ChannelConverted(id, channel.teamId, actorId, type));
    });
  }

  async archive(actor: Actor, id: string, isPermanent: boolean): Promise<void> {
    const known = await this.get(id);
    if (known.teamId === '') throw errors.refusals.archiveDirect();
    await this.policy.requireArchive(actor, known);
    if (isPermanent) throw errors.permanentChannelDeletionDisabled();
    await this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.deleteAt > 0) throw errors.refusals.archivedAlready();
      if (channel.name === DEFAULT_CHANNEL) throw errors.refusals.archiveDefault();
      const now = this.clock.now();
      const event = new events.ChannelArchived(id, channel.teamId, actor.userId, now);
      await this.save(channel, { deleteAt: now, updateAt: now }, event);
    });
  }

  async restore(actor: Actor, id: string): Promise<Channel> {
    await this.policy.requireRestore(actor, await this.get(id));
    return this.unitOfWork.run(async () => {
      const channel = await this.getForUpdate(id);
      if (channel.deleteAt === 0) throw errors.refusals.notArchived();
      const event = new events.ChannelRestored(id, channel.teamId, actor.userId);
      return this.save(channel, { deleteAt: 0 }, event);
    });
  }

  /** Stores whether the channel is shared with other servers. Call it inside a unit of work. */
  async setShared(id: string, shared: boolean): Promise<void> {
    await this.repository.update(await this.getForUpdate(id), { shared });
    await this.events.publish(new events.ChannelSharingChanged(id));
  }

  private changeFields(channel: Channel, change: ChannelChange): Promise<Channel> {
    const { name = channel.name, displayName = channel.displayName, purpose = channel.purpose } = change;
    const isHeaderOnly =
      name === channel.name && displayName === channel.displayName && purpose === channel.purpose;
    if (channel.teamId === '' && !isHeaderOnly) throw errors.refusals.directFields();
    return this.change(channel.id, change);
  }

  /** Locks the team, so that concurrent calls cannot exceed a limit. */
  private async requireRoom(teamId: string, creatorId: string, maxOwn: number): Promise<void> {
    await this.teams.lock(teamId);
    if ((await this.repository.countInTeam(teamId)) >= MAX_CHANNELS_PER_TEAM)
      throw new errors.TooManyChannels(MAX_CHANNELS_PER_TEAM);
    if (maxOwn < MAX_CHANNELS_PER_TEAM && (await this.repository.countMadeBy(creatorId, teamId)) >= maxOwn)
      throw errors.tooManyOwnChannels(maxOwn);
  }

  private async insert(channels: readonly Channel[]): Promise<void> {
    await this.repository.insert(channels).catch(nameTaken);
    for (const { id, teamId, creatorId } of channels)
      await this.events.publish(new events.ChannelCreated(id, teamId, creatorId));
  }

  private async save(before: Channel, change: ChannelColumns, event: DomainEvent): Promise<Channel> {
    const changed = { updateAt: this.clock.now(), ...change };
    await this.repository.update(before, changed).catch(nameTaken);
    await this.events.publish(event);
    return { ...before, ...changed };
  }
}

function nameTaken(error: unknown): never {
  throw isDuplicateKey(error) ? new errors.ChannelNameTaken() : error;
}
