import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE, type Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { VisibleUsers } from '../users/visible-users.js';
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
  TeamStatsDto,
  type TeamsWithCountDto,
  type UpdateTeamDto,
} from './dto/team.dto.js';
import type { Team } from './team.entity.js';
import { permanentTeamDeletionDisabled, teamIdGiven, teamNotOpen } from './teams.errors.js';
import { TeamsPolicy } from './teams.policy.js';
import type { TeamFilter } from './teams.repository.js';
import { TeamsSettings } from './teams.settings.js';
import { type TeamChange, TeamRecords } from './team-records.js';

/** The maximum number of teams in an unpaged search. */
const MAX_FOUND = 100;
const MAX_PAGE = 2 ** 31;
const MAX_TERM_LENGTH = 256;

/**
 * Team use cases. Applies the checks in the contract's order (docs/contract/messaging.md#team-calls), then
 * returns the fields that the caller may see.
 */
@Injectable()
export class TeamsService {
  constructor(
    private readonly teams: TeamRecords,
    private readonly policy: TeamsPolicy,
    private readonly permissions: PermissionsService,
    private readonly visible: VisibleUsers,
    private readonly settings: TeamsSettings,
  ) {}

  async create(actor: Actor, body: CreateTeamDto): Promise<TeamDto> {
    await this.policy.requireCreate(actor);
    if (body.id) throw teamIdGiven();
    const maxOwn = (await this.policy.canMakeAnyNumber(actor)) ? Infinity : this.settings.maxTeamsPerUser;
    return this.present(actor, await this.teams.create(actor.userId, newTeamOf(body), maxOwn));
  }

  async list(actor: Actor, page: Page, withTotal: boolean): Promise<TeamDto[] | TeamsWithCountDto> {
    const filter = await this.policy.requireList(actor);
    const teams = await this.presentAll(actor, await this.teams.list(filter, page.offset, page.perPage));
    return withTotal ? { teams, total_count: await this.teams.count(filter) } : teams;
  }

  async search(
    actor: Actor,
    { term, page, per_page }: SearchTeamsDto,
  ): Promise<TeamDto[] | TeamsWithCountDto> {
    if (page !== undefined && (page < 0 || page > MAX_PAGE))
      throw new InvalidBodyParam('page', `it must be 0 to ${MAX_PAGE}`);
    if (per_page !== undefined && per_page < 0)
      throw new InvalidBodyParam('per_page', 'it must not be negative');
    if (term.length > MAX_TERM_LENGTH) {
      throw new InvalidBodyParam('term', `it may have ${MAX_TERM_LENGTH} characters at most`);
    }
    const isPaged = page !== undefined && per_page !== undefined;
    const listable = await this.policy.listable(actor);
    if (!listable) return isPaged ? { teams: [], total_count: 0 } : [];
    const filter: TeamFilter = { ...listable, term };
    if (!isPaged) return this.presentAll(actor, await this.teams.list(filter, 0, MAX_FOUND));
    const limit = Math.min(per_page, MAX_PER_PAGE);
    const teams = await this.presentAll(actor, await this.teams.list(filter, page * limit, limit));
    return { teams, total_count: await this.teams.count(filter) };
  }

  async get(actor: Actor, id: string): Promise<TeamDto> {
    const team = await this.teams.get(id);
    await this.policy.requireView(actor, team);
    return this.present(actor, team);
  }

  async getByName(actor: Actor, name: string): Promise<TeamDto> {
    const team = await this.teams.getByName(name);
    await this.policy.requireViewByName(actor, team);
    return this.present(actor, team);
  }

  /** The team with this invite id. Throws `teamInviteNotFound`, `teamNotOpen`. */
  async invitation(inviteId: string): Promise<TeamInviteDto> {
    const team = await this.teams.getByInviteId(inviteId);
    if (team.type !== 'O') throw teamNotOpen();
    return TeamInviteDto.from(team);
  }

  async exists(actor: Actor, name: string): Promise<TeamExistsDto> {
    const team = await this.teams.findByName(name);
    return { exists: team !== null && (await this.policy.canKnow(actor, team)) };
  }

  async update(actor: Actor, id: string, body: UpdateTeamDto): Promise<TeamDto> {
    if (body.id !== id) throw new InvalidBodyParam('id', 'it must be the team of the path');
    await this.policy.requireManage(actor, id);
    const change = teamChangeOf(body);
    await this.policy.requirePatch(actor, id, changedFields(await this.teams.get(id), change));
    return this.present(actor, await this.teams.update(id, change));
  }

  async patch(actor: Actor, id: string, body: PatchTeamDto): Promise<TeamDto> {
    const change = teamChangeOf(body);
    await this.policy.requirePatch(actor, id, change);
    return this.present(actor, await this.teams.patch(id, change));
  }

  async setPrivacy(actor: Actor, id: string, { privacy }: TeamPrivacyDto): Promise<TeamDto> {
    if (privacy !== 'O' && privacy !== 'I')
      throw new InvalidBodyParam('privacy', 'it must be O (open) or I (by invitation)');
    await this.policy.requirePrivacy(actor, id);
    return this.present(actor, await this.teams.setPrivacy(id, privacy));
  }

  async regenerateInviteId(actor: Actor, id: string): Promise<TeamDto> {
    return this.present(actor, await this.teams.regenerateInviteId(id));
  }

  async archive(id: string, isPermanent: boolean): Promise<void> {
    if (isPermanent) throw permanentTeamDeletionDisabled();
    await this.teams.archive(id);
  }

  async restore(actor: Actor, id: string): Promise<TeamDto> {
    return this.present(actor, await this.teams.restore(id));
  }

  async stats(actor: Actor, id: string): Promise<TeamStatsDto> {
    return TeamStatsDto.from(id, await this.teams.countMembers(id, await this.visible.restrictionOf(actor)));
  }

  async listOfUser(actor: Actor, userId: string): Promise<TeamDto[]> {
    await this.permissions.requireSelfOr(actor, userId, UserPermission.SysconsoleReadUsers);
    return this.presentAll(actor, await this.teams.listOfUser(userId));
  }

  private async present(actor: Actor, team: Team): Promise<TeamDto> {
    return TeamDto.from(await this.policy.masked(actor, team));
  }

  private presentAll(actor: Actor, teams: readonly Team[]): Promise<TeamDto[]> {
    return Promise.all(teams.map((team) => this.present(actor, team)));
  }
}

/** The fields of a change that differ from the team, because clients send all fields back. */
function changedFields(team: Team, change: TeamChange): TeamChange {
  const isKept = ([field, value]: [string, unknown]): boolean => value === team[field as keyof TeamChange];
  return Object.fromEntries(Object.entries(change).filter((entry) => !isKept(entry)));
}
