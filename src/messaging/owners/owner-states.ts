import { Injectable } from '@nestjs/common';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { User } from '../users/user.entity.js';
import { UserRecords } from '../users/user-records.js';
import type { OwnerState } from './owner-state.js';
import { OwnersSettings } from './owners.settings.js';

/** Something in a team that belongs to an account, such as a webhook. */
export interface Owned {
  readonly ownerId: string;
  readonly teamId: string;
}

/** So many owners are looked up one by one: most lists are of hooks of one person, and of one team. */
const FEW = 4;

/** Tells what has become of the owners of things in teams. */
@Injectable()
export class OwnerStates {
  constructor(
    private readonly settings: OwnersSettings,
    private readonly users: UserRecords,
    private readonly permissions: PermissionsService,
  ) {}

  /** Cached. */
  async of({ ownerId, teamId }: Owned): Promise<OwnerState> {
    const owner = await this.users.find(ownerId);
    return accountState(owner) ?? memberState(await this.permissions.hasLeftTeam(ownerId, teamId));
  }

  /** The state of each, in the order given: of a few owners cached, of more with two queries at most. */
  async listOf(owned: readonly Owned[]): Promise<OwnerState[]> {
    const places = new Map(owned.map((one) => [placeOf(one), one]));
    if (places.size > FEW) return this.readAll(owned);
    const states = new Map<string, OwnerState>();
    for (const [place, one] of places) states.set(place, await this.of(one));
    return owned.map((one) => states.get(placeOf(one)) ?? 'deleted');
  }

  /** Whether DISABLE_ORPHANED_HOOKS stops this webhook. Cached. */
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
