import { Injectable } from '@nestjs/common';
import type { Permission } from '../../platform/access/access.js';
import { CommonPermission } from './common.permissions.js';
import { type ChannelRoles, MembershipsReadModel, type TeamRoles } from './memberships.read-model.js';
import { effectiveRoles, type Subject } from './permissions.service.js';
import { RolesService } from './roles.service.js';

/** A user's access to the teams and channels they are a member of. */
export interface MembershipAccess {
  /** The teams that the user may view. */
  readonly teamIds: ReadonlySet<string>;
  /** The teams whose public channels the user may read, including channels the user is not in. */
  readonly openTeamIds: ReadonlySet<string>;
  /** All channels that the user is a member of. */
  readonly channelIds: ReadonlySet<string>;
  /** Those channels that the user may not see. */
  readonly unseenIds: ReadonlySet<string>;
  /** Those channels whose posts the user may not read. */
  readonly unreadableIds: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();
/** The access of a user without any membership. */
export const NO_ACCESS: MembershipAccess = {
  teamIds: NOTHING,
  openTeamIds: NOTHING,
  channelIds: NOTHING,
  unseenIds: NOTHING,
  unreadableIds: NOTHING,
};

const { ManageSystem, ViewTeam, ReadPublicChannel, ReadChannel, ReadChannelContent } = CommonPermission;
const CHECKED = [ManageSystem, ViewTeam, ReadPublicChannel, ReadChannel, ReadChannelContent];

/** The permissions granted by a set of roles, of those above. */
type Grants = ReadonlySet<Permission>;
type GrantsOf = (roles: readonly string[]) => Promise<Grants>;

/**
 * Computes access for many users with two queries, by the same rules as PermissionsService
 * (docs/contract/messaging.md#permissions). The result is not cached.
 */
@Injectable()
export class MembershipAccessService {
  constructor(
    private readonly memberships: MembershipsReadModel,
    private readonly roles: RolesService,
  ) {}

  /** By user id. */
  async of(subjects: readonly Subject[]): Promise<ReadonlyMap<string, MembershipAccess>> {
    const { teams, channels } = await this.memberships.listRolesOf(subjects.map(({ userId }) => userId));
    const known = new Map<string, Grants>(); // members have the same few roles
    const grantsOf: GrantsOf = async (roles) => {
      const key = roles.join(' ');
      const grants = known.get(key) ?? (await this.grantsOf(roles));
      known.set(key, grants);
      return grants;
    };
    const found = new Map<string, MembershipAccess>();
    for (const { userId, roles } of subjects)
      found.set(userId, await accessOf(roles, teams.get(userId) ?? [], channels.get(userId) ?? [], grantsOf));
    return found;
  }

  private async grantsOf(names: readonly string[]): Promise<Grants> {
    const granted = new Set<Permission>();
    for (const permission of CHECKED)
      if (await this.roles.anyGrants(names, permission)) granted.add(permission);
    return granted;
  }
}

async function accessOf(
  systemRoles: readonly string[],
  teams: readonly TeamRoles[],
  channels: readonly ChannelRoles[],
  grantsOf: GrantsOf,
): Promise<MembershipAccess> {
  const onSystem = await grantsOf(systemRoles);
  const inTeams = new Map<string, Grants>();
  for (const { teamId, member } of teams) {
    const roles = effectiveRoles('team', member);
    inTeams.set(teamId, new Set([...(await grantsOf(roles)), ...onSystem]));
  }
  const unseenIds = new Set<string>();
  const unreadableIds = new Set<string>();
  for (const { channelId, teamId, type, member } of channels) {
    const roles = effectiveRoles('channel', member);
    const above = inTeams.get(teamId) ?? onSystem;
    if (onSystem.has(ManageSystem) || (type === 'O' && above.has(ReadPublicChannel))) continue;
    const own = await grantsOf(roles);
    if (!own.has(ReadChannel) && !above.has(ReadChannel)) unseenIds.add(channelId);
    if (!own.has(ReadChannelContent) && !above.has(ReadChannelContent)) unreadableIds.add(channelId);
  }
  return {
    teamIds: teamsThatGrant(inTeams, ViewTeam),
    openTeamIds: teamsThatGrant(inTeams, ReadPublicChannel),
    channelIds: new Set(channels.map(({ channelId }) => channelId)),
    unseenIds,
    unreadableIds,
  };
}

function teamsThatGrant(teams: ReadonlyMap<string, Grants>, permission: Permission): ReadonlySet<string> {
  return new Set([...teams].filter(([, grants]) => grants.has(permission)).map(([teamId]) => teamId));
}
