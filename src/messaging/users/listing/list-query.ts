import {
  flagParam,
  idParam,
  QueryObject,
  type QueryParam,
  unsupportedParam,
} from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import type { ListQuery } from './users-listing.service.js';

const MAX_ROLES = 20;
const SORTS = ['', 'last_activity_at', 'create_at', 'status', 'admin'];

/**
 * The filters of `GET /users` (docs/contract/messaging.md#user-lists); `role` and `roles` form one, and so do `active`
 * and `inactive`.
 */
export const UserListQuery = (): ParameterDecorator =>
  QueryObject(
    {
      inTeam: idParam('in_team', 'Only members of this team; requires `view_team` there.'),
      notInTeam: idParam('not_in_team', 'Only users who are not in this team; requires `view_team` there.'),
      inChannel: idParam('in_channel', 'Only members of this channel; requires `read_channel` there.'),
      notInChannel: idParam(
        'not_in_channel',
        'Only users who are not in this channel; requires `in_team`, and `read_channel` there.',
      ),
      isWithoutTeam: flagParam('without_team', 'Only users without a team.'),
      active: flagParam('active', 'Only active accounts.'),
      inactive: flagParam('inactive', 'Only deactivated accounts.'),
      role: roles('role', 'Only holders of this system role.'),
      roles: roles('roles', 'Only holders of one of these system roles, separated by commas.'),
      teamRoles: roles(
        'team_roles',
        'Only holders of one of `team_user`, `team_admin` in the team of `in_team`.',
      ),
      channelRoles: roles(
        'channel_roles',
        'Only holders of one of `channel_user`, `channel_admin` in the channel of `in_channel`.',
      ),
      inGroup: unsupportedParam('in_group', 'there are no groups'),
      isGroupConstrained: unsupportedParam('group_constrained', 'there are no groups'),
      sort: {
        name: 'sort',
        description: {
          description: 'By username if empty; the first two require `in_team`, the others `in_channel`.',
          schema: { enum: SORTS },
        },
        parse: (text = '') => text,
      },
    },
    ({ active, inactive, role, inGroup: _group, isGroupConstrained: _constrained, ...query }): ListQuery => {
      if (active && inactive) throw new InvalidUrlParam('inactive', 'it cannot be combined with active');
      return {
        ...query,
        isActive: active || inactive ? active : undefined,
        roles: [...role, ...query.roles],
      };
    },
  );

function roles(name: string, description: string): QueryParam<readonly string[]> {
  return { name, description, parse: parseRoles };
}

function parseRoles(text = '', name: string): readonly string[] {
  const list = text.split(',').filter((item) => item !== '');
  if (list.length > MAX_ROLES || !list.every((item) => /^[a-z0-9_]{1,64}$/.test(item))) {
    throw new InvalidUrlParam(name, 'it must be role names, separated by commas');
  }
  return list;
}

/** Which accounts to list; the conditions are combined with AND. */
export interface UserFilter {
  readonly inTeam?: string | undefined;
  readonly notInTeam?: string | undefined;
  readonly inChannel?: string | undefined;
  readonly notInChannel?: string | undefined;
  readonly isWithoutTeam?: boolean;
  /** Undefined: active and deactivated accounts. */
  readonly isActive?: boolean | undefined;
  /** Any of these system roles. */
  readonly roles?: readonly string[];
  /** Any of these roles in the team `inTeam`. */
  readonly teamRoles?: readonly string[];
  /** Any of these roles in the channel `inChannel`. */
  readonly channelRoles?: readonly string[];
  /** For each term, one of the account's names must start with it. */
  readonly terms?: readonly string[];
}

export type UserSort = 'username' | 'last_activity_at' | 'create_at' | 'status' | 'admin';

/** User ids by status, for sorting by status; omits offline users. */
export interface Presence {
  readonly online: readonly string[];
  readonly away: readonly string[];
  readonly dnd: readonly string[];
}
