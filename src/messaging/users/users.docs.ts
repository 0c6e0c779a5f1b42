import { type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { UserDto } from './dto/user.dto.js';

/** Who may call the operations. */
export const WHO = {
  manages: 'the user; others with `edit_other_users`, unless they may do more',
  deletes: '`edit_other_users`, unless the account may do more; `manage_system` for the own account',
  activates: '`sysconsole_write_user_management_users`, unless the account may do more',
  setsPassword:
    'the user, with the current password; others with `sysconsole_write_user_management_users`, unless they may do more',
};

/** What the API description says of the operations. */
export const DOCS = {
  createUser: {
    summary: 'Create a user',
    description:
      'The first account of a server becomes its administrator. Later ones need an administrator, an invitation (`iid`), or an open server (`ENABLE_OPEN_SERVER`).',
    created: UserDto,
    errors: [401, 403, 404, 429, 501],
  },
  updateUser: {
    summary: 'Change a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    ok: UserDto,
    errors: [404, 429],
  },
  patchUser: {
    summary: 'Change some fields of a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    ok: UserDto,
    errors: [429],
  },
  updateUserRoles: {
    summary: 'Set the system roles of a user',
    description: 'Takes effect at once. The last administrator stays one.',
    ok: StatusOkDto,
  },
  updateUserActive: {
    summary: 'Activate or deactivate a user',
    description:
      'Deactivating ends all sessions. Nobody can deactivate the own account, nor the last administrator.',
    ok: StatusOkDto,
    errors: [404],
  },
  updateUserPassword: {
    summary: 'Set the password of a user',
    description: 'Ends the other sessions of the account.',
    ok: StatusOkDto,
    errors: [404, 429],
  },
  deleteUser: {
    summary: 'Deactivate a user',
    description: 'Ends all sessions; nothing is erased.',
    ok: StatusOkDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
