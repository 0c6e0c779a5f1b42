import { Injectable } from '@nestjs/common';
import { splitRoles } from '../permissions/actor.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { RolesService } from '../permissions/roles.service.js';
import { memberRolesRefused } from './teams.errors.js';

/** The roles of a team or channel member, as the row stores them. */
export interface SchemeRoles {
  readonly explicitRoles: string;
  readonly schemeUser: boolean;
  readonly schemeAdmin: boolean;
}

export type SchemeFlags = Omit<SchemeRoles, 'explicitRoles'>;

type MemberScope = 'team' | 'channel';

const MAX_ROLES_LENGTH = 256;
/**
 * Built-in team and channel roles are valid only in their own scope. Members cannot have system roles;
 * otherwise a channel administrator could grant the permissions of a system role.
 */
const SCHEME_ROLE = /^((team|channel)_(user|admin)|system_.*)$/;

/** Parses and validates the roles of members. Shared by teams and channels. */
@Injectable()
export class MemberRoles {
  constructor(private readonly roles: RolesService) {}

  /** Throws InvalidBodyParam unless `text` is a list of role names. Does not check that the roles exist. */
  requireWellFormed(text: string): void {
    const names = splitRoles(text);
    const isList = text.length <= MAX_ROLES_LENGTH && names.every((name) => /^[a-z0-9_]{1,64}$/.test(name));
    if (!isList) throw new InvalidBodyParam('roles', 'it must be a list of role names separated by spaces');
    if (names.length === 1 && names[0] === 'system_admin') {
      throw new InvalidBodyParam('roles', 'system_admin is not a member role');
    }
  }

  /** Throws `unknownRole`, or `memberRolesRefused` for a built-in role of another scope. */
  async parse(scope: MemberScope, text: string): Promise<SchemeRoles> {
    const names = [...new Set(splitRoles(text))];
    await this.roles.requireAll(names);
    const own = [`${scope}_user`, `${scope}_admin`];
    const stray = names.find((name) => SCHEME_ROLE.test(name) && !own.includes(name));
    if (stray !== undefined)
      throw memberRolesRefused(idOf('channel', scope, 'scheme_role'), `${stray} is not a ${scope} role.`);
    return {
      explicitRoles: names.filter((name) => !own.includes(name)).join(' '),
      schemeUser: names.includes(`${scope}_user`),
      schemeAdmin: names.includes(`${scope}_admin`),
    };
  }

  /** The same roles; throws `memberRolesRefused` if a member may not have them. */
  allowed(scope: MemberScope, roles: SchemeRoles): SchemeRoles {
    if (roles.schemeUser) return roles;
    throw memberRolesRefused(idOf(scope, scope, 'unset_user_scheme'), `a member must keep ${scope}_user.`);
  }
}

/** One of the contract's ids uses `api.channel` for teams too. */
const idOf = (prefix: MemberScope, scope: MemberScope, rule: string): string =>
  `api.${prefix}.update_${scope}_member_roles.${rule}.app_error`;
