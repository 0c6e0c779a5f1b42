import { Injectable } from '@nestjs/common';
import { splitRoles } from '../permissions/role-list.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { RolesService } from '../permissions/roles.service.js';

/** What a member is in a team or a channel. */
export interface SchemeRoles {
  readonly explicitRoles: string;
  readonly schemeGuest: boolean;
  readonly schemeUser: boolean;
  readonly schemeAdmin: boolean;
}

type Place = 'team' | 'channel';

const MAX_ROLES_LENGTH = 256;
/**
 * The roles that come with being somewhere; each counts only in its own kind of place. Roles of the system count nowhere
 * but there: else whoever administers a channel could hand out what an administrator put into one of them.
 */
const SCHEME_ROLE = /^((team|channel)_(guest|user|admin)|system_.*)$/;

/** 400: these roles cannot go together, or not here. */
export class MemberRolesRefused extends AppError {
  readonly status = 400;
  constructor(
    readonly id: string,
    reason: string,
  ) {
    super(`Invalid roles: ${reason}`);
  }
}

/** Turns a list of role names into what a member becomes. Shared by teams and channels. */
@Injectable()
export class MemberRoles {
  constructor(private readonly roles: RolesService) {}

  /** Throws InvalidBodyParam unless `text` is a list of role names. Looks up nothing. */
  requireWellFormed(text: string): void {
    const names = splitRoles(text);
    const isList = text.length <= MAX_ROLES_LENGTH && names.every((name) => /^[a-z0-9_]{1,64}$/.test(name));
    if (!isList) throw new InvalidBodyParam('roles', 'it must be names of roles with spaces between them');
    if (names.length === 1 && names[0] === 'system_admin') {
      throw new InvalidBodyParam('roles', 'system_admin is no role of a member');
    }
  }

  /** Throws UnknownRole, or MemberRolesRefused for a built-in role of another place. */
  async parse(place: Place, text: string): Promise<SchemeRoles> {
    const names = [...new Set(splitRoles(text))];
    await this.roles.requireAll(names);
    const own = [`${place}_guest`, `${place}_user`, `${place}_admin`];
    const stray = names.find((name) => SCHEME_ROLE.test(name) && !own.includes(name));
    if (stray !== undefined)
      throw new MemberRolesRefused(
        idOf('channel', place, 'scheme_role'),
        `${stray} is no role of a ${place}.`,
      );
    return {
      explicitRoles: names.filter((name) => !own.includes(name)).join(' '),
      schemeGuest: names.includes(`${place}_guest`),
      schemeUser: names.includes(`${place}_user`),
      schemeAdmin: names.includes(`${place}_admin`),
    };
  }

  /** Throws MemberRolesRefused unless a member may turn from the one into the other. */
  requireAllowedChange(place: Place, present: SchemeRoles, next: SchemeRoles): void {
    if (next.schemeGuest && next.schemeUser) {
      throw new MemberRolesRefused(idOf(place, place, 'guest_and_user'), 'a guest is no ordinary member.');
    }
    if (next.schemeGuest !== present.schemeGuest) {
      throw new MemberRolesRefused(
        idOf('channel', place, 'changing_guest_role'),
        'the account decides who is a guest.',
      );
    }
    if (!next.schemeGuest && !next.schemeUser) {
      throw new MemberRolesRefused(idOf(place, place, 'unset_user_scheme'), `a member keeps ${place}_user.`);
    }
  }
}

/** Two of the peer's ids say `api.channel` for teams as well. */
const idOf = (prefix: Place, place: Place, rule: string): string =>
  `api.${prefix}.update_${place}_member_roles.${rule}.app_error`;
