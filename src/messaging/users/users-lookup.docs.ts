import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { UserAutocompleteDto, UserStatsDto } from './dto/search-users.dto.js';
import { UserDto } from './dto/user.dto.js';

/** Who may call the operations. */
export const WHO = {
  sees: 'whoever may see the user',
  lists: 'any signed-in user; `view_team` or `read_channel` for the filters by team and channel',
  completes: 'any signed-in user; `view_team` and `read_channel` for the filters',
};

/** What the API description says of the operations. */
export const DOCS = {
  getUsers: {
    summary: 'List users',
    description: 'By username. Deactivated accounts are in it unless `active` is true.',
    ok: [UserDto],
    errors: [403],
  },
  getTotalUsersStats: { summary: 'Count the active users', ok: UserStatsDto },
  getKnownUsers: {
    summary: 'List the ids of the users with whom you share a channel',
    description: 'At most 10,000.',
    ok: { schema: { type: 'array', items: { type: 'string' }, example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'] } },
  },
  autocompleteUsers: { summary: 'Complete the name of a user', ok: UserAutocompleteDto, errors: [403] },
  getUserByUsername: { summary: 'Get a user by username', ok: UserDto, errors: [400, 403, 404] },
  getUserByEmail: { summary: 'Get a user by e-mail address', ok: UserDto, errors: [400, 403, 404] },
  getUsersByIds: {
    summary: 'Get several users by id',
    description: 'Unknown ids are skipped. Accounts of more than 16 MiB together are a 400.',
    ok: [UserDto],
  },
  getUsersByUsernames: {
    summary: 'Get several users by username',
    description: 'Unknown names are skipped. Accounts of more than 16 MiB together are a 400.',
    ok: [UserDto],
  },
  searchUsers: {
    summary: 'Search users',
    description: 'By the beginning of the username, a name, the nickname or the e-mail address.',
    ok: [UserDto],
    errors: [403],
  },
  getUser: { summary: 'Get a user', ok: UserDto, errors: [403, 404] },
  getProfileImage: {
    summary: 'Get the picture of a user',
    description: 'The first letter of the username.',
    errors: [403, 404],
  },
} satisfies Record<string, OperationOptions>;
