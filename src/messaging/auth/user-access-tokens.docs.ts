import { type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { UserAccessTokenDto } from './dto/user-access-token.dto.js';

const REACH =
  'for other users also `edit_other_users`, or `manage_bots` for the own bots, unless they may do more';

/** Who may call the operations. */
export const WHO = {
  reads: `\`read_user_access_token\`; ${REACH}`,
  creates: `\`create_user_access_token\`; ${REACH}`,
  revokes: `\`revoke_user_access_token\`; ${REACH}`,
};

/** What the API description says of the operations. */
export const DOCS = {
  getUserAccessTokens: { summary: 'List all personal access tokens', ok: [UserAccessTokenDto] },
  searchUserAccessTokens: { summary: 'Search personal access tokens', ok: [UserAccessTokenDto] },
  revokeUserAccessToken: { summary: 'Delete a personal access token', ok: StatusOkDto, errors: [404] },
  disableUserAccessToken: { summary: 'Switch a personal access token off', ok: StatusOkDto, errors: [404] },
  enableUserAccessToken: { summary: 'Switch a personal access token on', ok: StatusOkDto, errors: [404] },
  getUserAccessToken: { summary: 'Get a personal access token', ok: UserAccessTokenDto, errors: [404] },
  getUserAccessTokensForUser: {
    summary: 'List the personal access tokens of a user',
    ok: [UserAccessTokenDto],
    errors: [404],
  },
  createUserAccessToken: {
    summary: 'Create a personal access token',
    description:
      'The answer holds its value, which is not shown again. It acts with the roles that its user has at the time.',
    ok: UserAccessTokenDto,
    errors: [404, 501],
  },
} satisfies Record<string, OperationOptions>;
