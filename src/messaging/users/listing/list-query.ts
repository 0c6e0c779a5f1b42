import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { queryFlag, queryId, queryText } from '../../../platform/common/dto/params.js';
import { InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../../platform/common/http/http-request.js';
import type { ListQuery } from './users-listing.service.js';

const MAX_ROLES = 20;

/** The filters of `GET /users` (docs/contract/messaging.md#user-lists). */
export const UserListQuery = createParamDecorator((_: unknown, context: ExecutionContext): ListQuery => {
  const request = context.switchToHttp().getRequest<HttpRequest>();
  const isActive = queryFlag(request, 'active');
  const isInactive = queryFlag(request, 'inactive');
  if (isActive && isInactive) throw new InvalidUrlParam('inactive', 'it excludes active');
  return {
    inTeam: queryId(request, 'in_team'),
    notInTeam: queryId(request, 'not_in_team'),
    inChannel: queryId(request, 'in_channel'),
    notInChannel: queryId(request, 'not_in_channel'),
    isWithoutTeam: queryFlag(request, 'without_team'),
    isActive: isActive ? true : isInactive ? false : undefined,
    roles: [...names(request, 'role'), ...names(request, 'roles')],
    teamRoles: names(request, 'team_roles'),
    channelRoles: names(request, 'channel_roles'),
    sort: queryText(request, 'sort') ?? '',
  };
});

const text = (name: string, description: string, choices?: string[]): MethodDecorator & ClassDecorator =>
  ApiQuery({
    name,
    required: false,
    description,
    schema: { type: 'string', ...(choices ? { enum: choices } : {}) },
  });
const onOff = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiQuery({ name, required: false, description, schema: { type: 'boolean', default: false } });

/** Documents them. */
export const ApiUserListQuery = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    text('in_team', 'Only members of this team; needs `view_team` there.'),
    text('not_in_team', 'Only people who are not in this team; needs `view_team` there.'),
    text('in_channel', 'Only members of this channel; needs `read_channel` there.'),
    text(
      'not_in_channel',
      'Only people who are not in this channel; needs `in_team`, and `read_channel` there.',
    ),
    onOff('without_team', 'Only people without a team.'),
    onOff('active', 'Only active accounts.'),
    onOff('inactive', 'Only deactivated accounts.'),
    text('role', 'Only holders of this system role.'),
    text('roles', 'Only holders of one of these system roles, separated by commas.'),
    text(
      'team_roles',
      'Only holders of one of `team_user`, `team_admin`, `team_guest` in the team of `in_team`.',
    ),
    text(
      'channel_roles',
      'Only holders of one of `channel_user`, `channel_admin`, `channel_guest` in the channel of `in_channel`.',
    ),
    text('sort', 'By username when empty; the first two need `in_team`, the others `in_channel`.', [
      '',
      'last_activity_at',
      'create_at',
      'status',
      'admin',
    ]),
  );

function names(request: HttpRequest, name: string): string[] {
  const list = (queryText(request, name) ?? '').split(',').filter((item) => item !== '');
  if (list.length > MAX_ROLES || !list.every((item) => /^[a-z0-9_]{1,64}$/.test(item))) {
    throw new InvalidUrlParam(name, 'it must be role names, separated by commas');
  }
  return list;
}
