import { Injectable } from '@nestjs/common';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { OwnersSettings } from './owners.settings.js';

/** Something in a team that belongs to an account, such as a webhook. */
export interface Owned {
  readonly ownerId: string;
  readonly teamId: string;
}

/** Up to this many owners are looked up one by one; most lists hold webhooks of one user in one team. */
const FEW = 4;

/** Reports the account state of owners. */
@Injectable()
export class OwnerStates {
  constructor(
    private readonly settings: OwnersSettings,
    private readonly users: UsersService,
    private readonly permissions: PermissionsService,
  ) {}

  /** Cached. */
  async of({ ownerId, teamId }: Owned): Promise<OwnerState> {
    const owner = await this.users.find(ownerId);
    return accountState(owner) ?? memberState(await this.permissions.hasLeftTeam(ownerId, teamId));
  }

  /** States in the order of `owned`. Uses the cache for a few owners, and at most two queries for more. */
  async listOf(owned: readonly Owned[]): Promise<OwnerState[]> {
    const places = new Map(owned.map((one) => [placeOf(one), one]));
    if (places.size > FEW) return this.readAll(owned);
    const states = new Map<string, OwnerState>();
    for (const [place, one] of places) states.set(place, await this.of(one));
    return owned.map((one) => states.get(placeOf(one)) ?? 'deleted');
  }

  /** Whether DISABLE_ORPHANED_HOOKS disables this webhook. Cached. */
  async isStopped(owned: Owned): Promise<boolean> {
    return this.settings.disableOrphanedHooks && (await this.of(owned)) !== 'active';
  }

  private async readAll(owned: readonly Owned[]): Promise<OwnerState[]> {
    const owners = new Map((await this.users.findAll(ownerIds(owned))).map((user) => [user.id, user]));
    const hasLeft = await this.permissions.formerTeamMembers(owned);
    return owned.map(
      ({ ownerId, teamId }) =>
        accountState(owners.get(ownerId) ?? null) ?? memberState(hasLeft(ownerId, teamId)),
    );
  }
}

const placeOf = ({ ownerId, teamId }: Owned): string => `${ownerId} ${teamId}`;
const ownerIds = (owned: readonly Owned[]): string[] => [...new Set(owned.map(({ ownerId }) => ownerId))];

function accountState(owner: User | null): OwnerState | undefined {
  if (!owner) return 'deleted';
  return owner.deleteAt > 0 ? 'deactivated' : undefined;
}

const memberState = (hasLeft: boolean): OwnerState => (hasLeft ? 'left_team' : 'active');

/**
 * The state of an owner: `deactivated` and `deleted` describe the account, `left_team` means that a former
 * member is no longer in the team. An owner who was never a member is `active`.
 */
export const OWNER_STATES = ['active', 'deactivated', 'left_team', 'deleted'] as const;

export type OwnerState = (typeof OWNER_STATES)[number];

/** Filters for lists; `orphaned` matches every state except `active`. */
export const OWNER_STATE_FILTERS = [...OWNER_STATES, 'orphaned'] as const;

export type OwnerStateFilter = (typeof OWNER_STATE_FILTERS)[number];
