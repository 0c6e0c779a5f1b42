import { Injectable } from '@nestjs/common';
import { CommonPermission } from './common.permissions.js';
import { PermissionsService, type Subject } from './permissions.service.js';
import { RolesService } from './roles.service.js';

/** A condition with named parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
}

type MemberScope = 'team' | 'channel';

const READ = CommonPermission.ReadChannelContent;

/**
 * Selects rows by whether a subject may read their channel, so that pages and counts of lists are exact. Must
 * agree with `PermissionsService.canReadChannel`.
 */
@Injectable()
export class ReadableChannelsReadModel {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly roles: RolesService,
  ) {}

  /**
   * The condition that the channel whose id is in `column` is open or readable by the subject; undefined if
   * true for all channels of the team, or of the server without `teamId`.
   */
  async openOrReadable(
    subject: Subject,
    teamId: string | undefined,
    column: string,
  ): Promise<SqlCondition | undefined> {
    if (await this.readsAll(subject, teamId)) return undefined;
    const inChannel = await this.grants('channel');
    const inTeam = await this.grants('team');
    const sql = `EXISTS (SELECT 1 FROM channels place WHERE place.id = ${column} AND (place.type = 'O'
      OR EXISTS (SELECT 1 FROM channel_members member WHERE member.channel_id = place.id AND member.user_id = :reader AND (${inChannel.sql}))
      OR EXISTS (SELECT 1 FROM team_members member WHERE member.team_id = place.team_id AND member.user_id = :reader AND member.delete_at = 0 AND (${inTeam.sql}))))`;
    return { sql, parameters: { reader: subject.userId, ...inChannel.parameters, ...inTeam.parameters } };
  }

  private async readsAll(subject: Subject, teamId: string | undefined): Promise<boolean> {
    if (await this.permissions.hasOnSystem(subject, CommonPermission.ManageSystem)) return true;
    return this.permissions.has(subject, READ, teamId === undefined ? 'system' : { teamId });
  }

  /** The condition that a membership has a role that grants reading. */
  private async grants(scope: MemberScope): Promise<SqlCondition> {
    const conditions = ['1 = 0'];
    const parameters: Record<string, string> = {};
    for (const flag of ['user', 'admin'])
      if (await this.roles.anyGrants([`${scope}_${flag}`], READ))
        conditions.push(`member.scheme_${flag} = 1`);
    for (const [index, role] of (await this.roles.names()).entries()) {
      if (!(await this.roles.anyGrants([role], READ))) continue;
      const name = `${scope}Role${index}`;
      conditions.push(`INSTR(CONCAT(' ', member.explicit_roles, ' '), :${name}) > 0`);
      parameters[name] = ` ${role} `;
    }
    return { sql: conditions.join(' OR '), parameters };
  }
}
