import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import { isId, newId } from '../../platform/common/ids.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { DatabaseCache, idKeys } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { requireLocalUser } from '../users/users.policy.js';
import { UserRecords } from '../users/user-records.js';
import { TeamCreated, TeamDeleted, TeamRestored, TeamUpdated } from './teams.events.js';
import type { TeamMember } from './team-member.entity.js';
import { type MemberCounts, TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersRepository } from './team-members.repository.js';
import { TeamMemberRecords } from './team-member-records.js';
import type { Team } from './team.entity.js';
import { requireValidTeam, isEmailAllowed } from './team.rules.js';
import {
  creatorDomainRefused,
  teamInviteNotFound,
  teamNameNotFound,
  teamNameTaken,
  teamNotFound,
  tooManyOwnTeams,
} from './teams.errors.js';
import { type TeamFilter, TeamsRepository } from './teams.repository.js';

const MAX_CACHED_BYTES = 8 * 1024 * 1024;

/** The fields of a new team; omitted fields are empty. */
export interface NewTeam {
  readonly name: string;
  readonly displayName: string;
  readonly type: string;
  readonly description?: string;
  readonly companyName?: string;
  readonly allowedDomains?: string;
  readonly allowOpenInvite?: boolean;
  /** Used only when there is no creator; otherwise the team gets the creator's address. */
  readonly email?: string;
}

/** The fields of a team that can change; omitted fields stay unchanged. */
export type TeamChange = Partial<
  Pick<Team, 'displayName' | 'description' | 'companyName' | 'allowedDomains' | 'allowOpenInvite'>
>;

/** Reads and writes teams, and publishes changes. Does not check permissions. */
@Injectable()
export class TeamRecords {
  private readonly byId: DatabaseCache<Team | null>;

  constructor(
    private readonly teams: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly memberLists: TeamMembersReadModel,
    private readonly memberships: TeamMemberRecords,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'teams',
      maxBytes: MAX_CACHED_BYTES,
      keys: idKeys(null),
      keepsMisses: true,
    });
  }

  /** Cached; includes archived teams. */
  find(id: string): Promise<Team | null> {
    return this.byId.get(id, () => this.teams.findById(id));
  }

  /** Throws `teamNotFound`. */
  async get(id: string): Promise<Team> {
    const team = await this.find(id);
    if (!team) throw teamNotFound();
    return team;
  }

  /**
   * Locks the team's row until the open unit of work ends. Must be its first statement: on MySQL, an earlier read would
   * fix the snapshot that later reads see.
   */
  async lock(id: string): Promise<void> {
    await this.teams.lock(id);
  }

  /** Whether the team is archived, so that nothing can be posted in it. Cached. */
  async isArchived(id: string): Promise<boolean> {
    const team = await this.find(id);
    return team !== null && team.deleteAt > 0;
  }

  findByName(name: string): Promise<Team | null> {
    return this.teams.findByName(name);
  }

  /** Throws `teamNameNotFound`. */
  async getByName(name: string): Promise<Team> {
    const team = await this.teams.findByName(name);
    if (!team) throw teamNameNotFound();
    return team;
  }

  /** A team that is not archived; throws `teamInviteNotFound`. */
  async getByInviteId(inviteId: string): Promise<Team> {
    const team = isId(inviteId) ? await this.teams.findByInviteId(inviteId) : null;
    if (!team) throw teamInviteNotFound();
    return team;
  }

  /** Ordered by display name; omits archived teams. */
  list(filter: TeamFilter, offset: number, limit: number): Promise<Team[]> {
    return this.teams.list(filter, offset, limit);
  }

  count(filter: TeamFilter): Promise<number> {
    return this.teams.count(filter);
  }

  listOfUser(userId: string): Promise<Team[]> {
    return this.teams.listOfUser(userId);
  }

  /** With a `viewerId`, counts only members visible to that user. Throws `teamNotFound`. */
  async countMembers(id: string, viewerId: string | undefined): Promise<MemberCounts> {
    await this.get(id);
    return this.memberLists.count(id, viewerId);
  }

  /**
   * Creates a team with its default channels. The creator becomes its administrator; without one (`''`, as in local
   * mode) the team has no members. `maxOwn` limits the creator's teams. Throws ValidationFailed,
   * `creatorDomainRefused`, `tooManyOwnTeams`, `teamNameTaken`.
   */
  async create(creatorId: string, input: NewTeam, maxOwn = Infinity): Promise<Team> {
    const creator = creatorId === '' ? null : await this.users.get(creatorId);
    const now = this.clock.now();
    const team: Team = {
      id: newId(),
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      displayName: input.displayName,
      name: input.name,
      description: input.description ?? '',
      email: creator?.email ?? input.email?.toLowerCase() ?? '',
      type: input.type,
      companyName: input.companyName ?? '',
      allowedDomains: input.allowedDomains ?? '',
      inviteId: newId(),
      allowOpenInvite: input.allowOpenInvite ?? false,
      creatorId,
    };
    requireValidTeam(team);
    if (creator && !isEmailAllowed(creator.email, team.allowedDomains)) throw creatorDomainRefused();
    this.audit.concerns({ id: team.id });
    await this.unitOfWork.run(async () => {
      await this.requireRoom(creatorId, maxOwn);
      await this.insert(team);
      this.byId.forget(team.id);
      await this.events.publish(new TeamCreated(team.id, creatorId));
      if (creator) await this.memberships.join(team.id, creator, creator.id, { isCreator: true });
    });
    return team;
  }

  /**
   * Adds a user to the team; a current member stays as is. Throws `teamNotFound`, `userNotFound`, `remoteUserRefused`,
   * `emailDomainRefused`, `emailNotConfirmed`, `teamFull`. `isInvited`: the user has the invite id.
   */
  async addMember(
    actorId: string,
    teamId: string,
    userId: string,
    { isInvited = false } = {},
  ): Promise<TeamMember> {
    const user = await this.users.get(userId);
    requireLocalUser(user);
    return this.memberships.join(teamId, user, actorId, { isInvited });
  }

  /** The membership of a user, or null; includes ended ones. */
  findMember(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.find(teamId, userId);
  }

  /** Like findMember, and locks the row until the open unit of work ends. */
  findMemberForUpdate(teamId: string, userId: string): Promise<TeamMember | null> {
    return this.members.findLatest(teamId, userId);
  }

  update(id: string, change: TeamChange): Promise<Team> {
    return this.change(id, (team) => ({ ...team, ...change }));
  }

  /** Like update; closing the team also replaces its invite id. */
  patch(id: string, change: TeamChange): Promise<Team> {
    return this.change(id, (team) => ({
      ...team,
      ...change,
      ...(change.allowOpenInvite === false ? { inviteId: newId() } : {}),
    }));
  }

  /** Opens the team to everyone, or closes it; closing replaces the invite id. */
  setPrivacy(id: string, type: 'O' | 'I'): Promise<Team> {
    return this.change(id, (team) => {
      const isClosing = type === 'I' && (team.type !== 'I' || team.allowOpenInvite);
      return { ...team, type, allowOpenInvite: type === 'O', ...(isClosing ? { inviteId: newId() } : {}) };
    });
  }

  regenerateInviteId(id: string): Promise<Team> {
    return this.change(id, (team) => ({ ...team, inviteId: newId() }));
  }

  /** Archives the team; does nothing if it is already archived. */
  async archive(id: string): Promise<void> {
    await this.setDeleteAt(id, this.clock.now(), new TeamDeleted(id));
  }

  /** Restores an archived team; does nothing if it is not archived. */
  restore(id: string): Promise<Team> {
    return this.setDeleteAt(id, 0, new TeamRestored(id));
  }

  private setDeleteAt(id: string, deleteAt: number, event: DomainEvent): Promise<Team> {
    return this.unitOfWork.run(async () => {
      const team = await this.getForUpdate(id);
      if (team.deleteAt > 0 === deleteAt > 0) return team;
      return this.save({ ...team, deleteAt, updateAt: this.clock.now() }, event);
    });
  }

  private change(id: string, apply: (team: Team) => Team): Promise<Team> {
    return this.unitOfWork.run(async () => {
      const changed = { ...apply(await this.getForUpdate(id)), updateAt: this.clock.now() };
      requireValidTeam(changed);
      return this.save(changed, new TeamUpdated(id));
    });
  }

  private async save(team: Team, event: DomainEvent): Promise<Team> {
    await this.teams.update(team);
    this.byId.forget(team.id);
    await this.events.publish(event);
    return team;
  }

  private async getForUpdate(id: string): Promise<Team> {
    const team = await this.teams.findByIdForUpdate(id);
    if (!team) throw teamNotFound();
    return team;
  }

  /** Locks the account, so that concurrent calls cannot exceed the limit. */
  private async requireRoom(creatorId: string, maxOwn: number): Promise<void> {
    if (creatorId === '' || maxOwn === Infinity) return;
    await this.users.getForUpdate(creatorId);
    if ((await this.teams.countMadeBy(creatorId)) >= maxOwn) throw tooManyOwnTeams(maxOwn);
  }

  private async insert(team: Team): Promise<void> {
    try {
      await this.teams.insert(team);
    } catch (error) {
      throw isDuplicateKey(error) ? teamNameTaken() : error;
    }
  }
}
