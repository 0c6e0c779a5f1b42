import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { splitRoles } from './actor.js';

/** The roles of a membership, as the row stores them. */
export interface MembershipRoles {
  readonly explicitRoles: string;
  readonly schemeUser: boolean;
  readonly schemeAdmin: boolean;
}

/** The team and type of a channel; direct and group channels have no team (`''`). */
export interface ChannelPlace {
  readonly teamId: string;
  readonly type: string;
}

/** A membership in a team. */
export interface TeamRoles {
  readonly teamId: string;
  readonly member: MembershipRoles;
}

/** A channel membership with the channel's team and type. */
export interface ChannelRoles extends ChannelPlace {
  readonly channelId: string;
  readonly member: MembershipRoles;
}

const ROLES = 'm.explicit_roles, m.scheme_user, m.scheme_admin';

type Row = Record<string, unknown>;

/**
 * Reads memberships and channels for permission checks. It reads the tables itself because the modules that own them
 * depend on permissions.
 */
@Injectable()
export class MembershipsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findInTeam(userId: string, teamId: string): Promise<MembershipRoles | null> {
    return this.findRoles('team_members m WHERE m.delete_at = 0 AND m.team_id', teamId, userId);
  }

  /** The ended memberships of these users in these teams. */
  async listFormer(
    userIds: readonly string[],
    teamIds: readonly string[],
  ): Promise<{ readonly userId: string; readonly teamId: string }[]> {
    const rows = await this.query(
      `SELECT user_id, team_id FROM team_members WHERE team_id IN (${placeholders(teamIds)}) AND user_id IN (${placeholders(userIds)}) AND delete_at > 0`,
      [...teamIds, ...userIds],
    );
    return rows.map((row) => ({ userId: String(row['user_id']), teamId: String(row['team_id']) }));
  }

  findInChannel(userId: string, channelId: string): Promise<MembershipRoles | null> {
    return this.findRoles('channel_members m WHERE m.channel_id', channelId, userId);
  }

  async findChannel(channelId: string): Promise<ChannelPlace | null> {
    const [row] = await this.query('SELECT team_id, type FROM channels WHERE id = ?', [channelId]);
    return row ? { teamId: String(row['team_id']), type: String(row['type']) } : null;
  }

  async findSystemRoles(userId: string): Promise<readonly string[]> {
    const [row] = await this.query('SELECT roles FROM users WHERE id = ?', [userId]);
    return row ? splitRoles(String(row['roles'])) : [];
  }

  /** The memberships of several users with roles, by user id; omits users without memberships. */
  async listRolesOf(userIds: readonly string[]): Promise<{
    readonly teams: ReadonlyMap<string, TeamRoles[]>;
    readonly channels: ReadonlyMap<string, ChannelRoles[]>;
  }> {
    const teams = new Map<string, TeamRoles[]>();
    const channels = new Map<string, ChannelRoles[]>();
    if (userIds.length === 0) return { teams, channels };
    const users = placeholders(userIds);
    for (const row of await this.query(
      `SELECT m.user_id, m.team_id, ${ROLES} FROM team_members m
       WHERE m.delete_at = 0 AND m.user_id IN (${users})`,
      [...userIds],
    )) {
      addTo(teams, row, { teamId: String(row['team_id']), member: toRoles(row) });
    }
    for (const row of await this.query(
      `SELECT m.user_id, m.channel_id, ${ROLES}, c.team_id, c.type
       FROM channel_members m JOIN channels c ON c.id = m.channel_id WHERE m.user_id IN (${users})`,
      [...userIds],
    )) {
      const place = { teamId: String(row['team_id']), type: String(row['type']) };
      addTo(channels, row, { ...place, channelId: String(row['channel_id']), member: toRoles(row) });
    }
    return { teams, channels };
  }

  private async findRoles(of: string, placeId: string, userId: string): Promise<MembershipRoles | null> {
    const [row] = await this.query(`SELECT ${ROLES} FROM ${of} = ? AND m.user_id = ?`, [placeId, userId]);
    return row ? toRoles(row) : null;
  }

  private query(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.unitOfWork.manager.query<Row[]>(sql, parameters);
  }
}

const placeholders = (ids: readonly string[]): string => ids.map(() => '?').join(',');

function addTo<T>(lists: Map<string, T[]>, row: Row, item: T): void {
  const userId = String(row['user_id']);
  const list = lists.get(userId);
  if (list) list.push(item);
  else lists.set(userId, [item]);
}

function toRoles(row: Row): MembershipRoles {
  return {
    explicitRoles: String(row['explicit_roles']),
    schemeUser: Boolean(row['scheme_user']),
    schemeAdmin: Boolean(row['scheme_admin']),
  };
}
