import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/common/clock.js';
import { MAX_PER_PAGE, type Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import { runeLength } from '../../platform/common/utf8.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DomainEvent, EventBus } from '../../platform/events/event-bus.js';
import type { Actor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UsersService } from '../users/users.service.js';
import { UserPermission } from '../users/users.policy.js';
import {
  type CreateTeamDto,
  newTeamOf,
  type PatchTeamDto,
  type SearchTeamsDto,
  teamChangeOf,
  TeamDto,
  type TeamExistsDto,
  TeamInviteDto,
  type TeamPrivacyDto,
  type TeamStatsDto,
  type TeamsWithCountDto,
  type UpdateTeamDto,
} from './dto/team.dto.js';
import { TeamMembersReadModel } from './team-members.read-model.js';
import { TeamMembersService } from './team-members.service.js';
import type { Team } from './team.entity.js';
import { changedFields, isEmailAllowed, requireValidTeam } from './team.rules.js';
import * as errors from './teams.errors.js';
import { TeamCreated, TeamDeleted, TeamRestored, TeamUpdated } from './teams.events.js';
import { TeamPermission, TeamsPolicy } from './teams.policy.js';
import { TeamsRepository } from './teams.repository.js';

/** The maximum number of teams in an unpaged search. */
const MAX_FOUND = 100;
const MAX_PAGE = 2 ** 31;
const MAX_TERM_LENGTH = 256;

/** The fields of a new team; omitted fields are empty. */
export type NewTeam = Pick<Team, 'name' | 'displayName' | 'type'> & TeamChange & Partial<Pick<Team, 'email'>>;

/** The fields of a team that can change; omitted fields stay unchanged. */
export type TeamChange = Partial<
  Pick<Team, 'displayName' | 'description' | 'companyName' | 'allowedDomains' | 'allowOpenInvite'>
>;

/**
 * Team use cases. Methods that take an actor apply the checks in the contract's order
 * (docs/contract/messaging.md#team-calls), and return the fields that the caller may see.
 */
@Injectable()
export class TeamsService {
  constructor(
    private readonly repository: TeamsRepository,
    private readonly members: TeamMembersService,
    private readonly memberLists: TeamMembersReadModel,
    private readonly policy: TeamsPolicy,
    private readonly permissions: PermissionsService,
    private readonly users: UsersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  find(id: string): Promise<Team | null> {
    return this.repository.find(id);
  }

  get(id: string): Promise<Team> {
    return this.repository.get(id);
  }

  /** Throws `teamNameNotFound`. */
  async getByName(name: string): Promise<Team> {
    const team = await this.repository.findByName(name);
    if (!team) throw errors.teamNameNotFound();
    return team;
  }

  /** Whether the team is archived, so that nothing can be posted in it. Cached. */
  async isArchived(id: string): Promise<boolean> {
    return ((await this.find(id))?.deleteAt ?? 0) > 0;
  }

  listOfUser(userId: string): Promise<Team[]> {
    return this.repository.listOfUser(userId);
  }

  /**
   * Locks the team's row until the open unit of work ends. Must be its first statement: on MySQL, an earlier read would
   * fix the snapshot that later reads see.
   */
  lock(id: string): Promise<void> {
    return this.repository.lock(id);
  }

  async create(actor: Actor, body: CreateTeamDto): Promise<TeamDto> {
    await this.policy.requireCreate(actor);
    if (body.id) throw errors.teamIdGiven();
    const maxOwn = await this.policy.maxOwnTeams(actor);
    return this.present(actor, await this.createFor(actor.userId, newTeamOf(body), maxOwn));
  }

  /**
   * Creates a team with its default channels. The creator becomes its administrator and gives it their address;
   * without one (`''`, as in local mode) the team has no members. `maxOwn` limits the creator's teams. Throws
   * ValidationFailed, `creatorDomainRefused`, `tooManyOwnTeams`, `teamNameTaken`.
   */
  async createFor(creatorId: string, input: NewTeam, maxOwn = Infinity): Promise<Team> {
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
    if (creator && !isEmailAllowed(creator.email, team.allowedDomains)) throw errors.creatorDomainRefused();
    this.audit.concerns({ id: team.id });
    await this.unitOfWork.run(async () => {
      await this.requireRoom(creatorId, maxOwn);
      await this.repository.insert(team).catch((error: unknown) => {
        throw isDuplicateKey(error) ? errors.teamNameTaken() : error;
      });
      await this.events.publish(new TeamCreated(team.id, creatorId));
      if (creator) await this.members.join(team.id, creator, creator.id, { isCreator: true });
    });
    return team;
  }

  async list(actor: Actor, page: Page, withTotal: boolean): Promise<TeamDto[] | TeamsWithCountDto> {
    const filter = await this.policy.requireList(actor);
    const teams = await this.presentAll(actor, await this.repository.list(filter, page.offset, page.perPage));
    return withTotal ? { teams, total_count: await this.repository.count(filter) } : teams;
  }

  async search(actor: Actor, body: SearchTeamsDto): Promise<TeamDto[] | TeamsWithCountDto> {
    const { term, page, per_page } = body;
    if (page !== undefined && (page < 0 || page > MAX_PAGE))
      throw new InvalidBodyParam('page', `it must be 0 to ${MAX_PAGE}`);
    if (per_page !== undefined && per_page < 0)
      throw new InvalidBodyParam('per_page', 'it must not be negative');
    if (runeLength(term) > MAX_TERM_LENGTH)
      throw new InvalidBodyParam('term', `it must have at most ${MAX_TERM_LENGTH} characters`);
    const isPaged = page !== undefined && per_page !== undefined;
    const listable = await this.policy.listable(actor);
    if (!listable) return isPaged ? { teams: [], total_count: 0 } : [];
    const filter = { ...listable, term };
    if (!isPaged) return this.presentAll(actor, await this.repository.list(filter, 0, MAX_FOUND));
    const limit = Math.min(per_page, MAX_PER_PAGE);
    const teams = await this.presentAll(actor, await this.repository.list(filter, page * limit, limit));
    return { teams, total_count: await this.repository.count(filter) };
  }

  async view(actor: Actor, id: string): Promise<TeamDto> {
    const team = await this.get(id);
    await this.policy.requireView(actor, team);
    return this.present(actor, team);
  }

  async viewByName(actor: Actor, name: string): Promise<TeamDto> {
    const team = await this.getByName(name);
    await this.policy.requireViewByName(actor, team);
    return this.present(actor, team);
  }

  /** The team with this invite id. Throws `teamInviteNotFound`, `teamNotOpen`. */
  async invitation(inviteId: string): Promise<TeamInviteDto> {
    const team = await this.repository.getByInviteId(inviteId);
    if (team.type !== 'O') throw errors.teamNotOpen();
    return TeamInviteDto.from(team);
  }

  async exists(actor: Actor, name: string): Promise<TeamExistsDto> {
    const team = await this.repository.findByName(name);
    return { exists: team !== null && (await this.policy.canKnow(actor, team)) };
  }

  /** Checks the permission before it looks the team up, so that only administrators learn whether it exists. */
  async update(actor: Actor, id: string, body: UpdateTeamDto): Promise<TeamDto> {
    if (body.id !== id) throw new InvalidBodyParam('id', 'it must be the team of the path');
    await this.permissions.require(actor, TeamPermission.ManageTeam, { teamId: id });
    const change = teamChangeOf(body);
    await this.policy.requirePatch(actor, id, changedFields(await this.get(id), change));
    return this.change(actor, id, (team) => ({ ...team, ...change }));
  }

  /** Like update; closing the team also replaces its invite id. */
  async patch(actor: Actor, id: string, body: PatchTeamDto): Promise<TeamDto> {
    const change = teamChangeOf(body);
    await this.policy.requirePatch(actor, id, change);
    const inviteId = change.allowOpenInvite === false ? { inviteId: newId() } : {};
    return this.change(actor, id, (team) => ({ ...team, ...change, ...inviteId }));
  }

  /** Opens the team to everyone, or closes it; closing replaces the invite id. */
  async setPrivacy(actor: Actor, id: string, { privacy: type }: TeamPrivacyDto): Promise<TeamDto> {
    if (type !== 'O' && type !== 'I')
      throw new InvalidBodyParam('privacy', 'it must be O (open) or I (by invitation)');
    await this.policy.requirePatch(actor, id, { allowOpenInvite: type === 'O' });
    return this.change(actor, id, (team) => {
      const isClosing = type === 'I' && (team.type !== 'I' || team.allowOpenInvite);
      return { ...team, type, allowOpenInvite: type === 'O', ...(isClosing ? { inviteId: newId() } : {}) };
    });
  }

  regenerateInviteId(actor: Actor, id: string): Promise<TeamDto> {
    return this.change(actor, id, (team) => ({ ...team, inviteId: newId() }));
  }

  async archive(id: string, isPermanent: boolean): Promise<void> {
    if (isPermanent) throw errors.permanentTeamDeletionDisabled();
    await this.setDeleteAt(id, this.clock.now(), new TeamDeleted(id));
  }

  async restore(actor: Actor, id: string): Promise<TeamDto> {
    return this.present(actor, await this.setDeleteAt(id, 0, new TeamRestored(id)));
  }

  async stats(id: string): Promise<TeamStatsDto> {
    await this.get(id);
    const { members, active } = await this.memberLists.count(id);
    return { team_id: id, total_member_count: members, active_member_count: active };
  }

  async viewOfUser(actor: Actor, userId: string): Promise<TeamDto[]> {
    await this.permissions.requireSelfOr(actor, userId, UserPermission.SysconsoleReadUsers);
    return this.presentAll(actor, await this.listOfUser(userId));
  }

  private setDeleteAt(id: string, deleteAt: number, event: DomainEvent): Promise<Team> {
    return this.unitOfWork.run(async () => {
      const team = await this.repository.getForUpdate(id);
      if (team.deleteAt > 0 === deleteAt > 0) return team;
      return this.save({ ...team, deleteAt, updateAt: this.clock.now() }, event);
    });
  }

  private async change(actor: Actor, id: string, apply: (team: Team) => Team): Promise<TeamDto> {
    const changed = await this.unitOfWork.run(async () => {
      const team = { ...apply(await this.repository.getForUpdate(id)), updateAt: this.clock.now() };
      requireValidTeam(team);
      return this.save(team, new TeamUpdated(id));
    });
    return this.present(actor, changed);
  }

  private async save(team: Team, event: DomainEvent): Promise<Team> {
    await this.repository.update(team);
    await this.events.publish(event);
    return team;
  }

  /** Locks the account, so that concurrent calls cannot exceed the limit. */
  private async requireRoom(creatorId: string, maxOwn: number): Promise<void> {
    if (creatorId === '' || maxOwn === Infinity) return;
    await this.users.getForUpdate(creatorId);
    if ((await this.repository.countMadeBy(creatorId)) >= maxOwn) throw errors.tooManyOwnTeams(maxOwn);
  }

  private async present(actor: Actor, team: Team): Promise<TeamDto> {
    return TeamDto.from(await this.policy.masked(actor, team));
  }

  private presentAll(actor: Actor, teams: readonly Team[]): Promise<TeamDto[]> {
    return Promise.all(teams.map((team) => this.present(actor, team)));
  }
}
