import { Injectable } from '@nestjs/common';
import { serverNotOpen, signUpDisabled } from './users.errors.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { UsersSettings } from './users.settings.js';
import type { Actor } from '../permissions/actor.js';
import type { CreateUserDto } from './dto/user.dto.js';
import { profileChange } from './user-rules.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import type { User } from './user.entity.js';
import { UsersPolicy } from './users.policy.js';
import { type NewUser, UserRecords } from './user-records.js';

/** Checks invite ids for sign-up. The module that owns the invites registers its check at startup. */
@Injectable()
export class SignUpInvites {
  /** Throws for an unknown invite id. */
  require: (inviteId: string) => Promise<void> = () => Promise.reject(serverNotOpen());
}

/** Additional sign-up parameters: a team's invite id, or the token of an e-mail invitation. */
interface Invitation {
  readonly inviteId?: string | undefined;
  readonly token?: string | undefined;
}

/** Creates accounts for callers who may sign up (docs/contract/messaging.md#sign-up). */
@Injectable()
export class SignUpService {
  constructor(
    private readonly users: UserRecords,
    private readonly policy: UsersPolicy,
    private readonly invites: SignUpInvites,
    private readonly throttle: AttemptThrottle,
    private readonly settings: UsersSettings,
  ) {}

  /** `address` is the caller's client block. Administrators are not rate-limited. */
  async signUp(
    actor: Actor,
    body: CreateUserDto,
    { inviteId = '', token = '' }: Invitation,
    address: string,
  ): Promise<User> {
    if (!this.settings.enableUserCreation && actor.kind !== 'local') throw signUpDisabled();
    if (token !== '') {
      throw new ValidationFailed(
        'api.user.create_user.signup_link_invalid.app_error',
        't',
        'there is no such invitation',
      );
    }
    const isAdmin = await this.policy.isSystemManager(actor);
    if (inviteId !== '') await this.invites.require(inviteId); // before anything is revealed or costs much
    const isFirstOnly = inviteId === '' && !isAdmin && !this.settings.enableOpenServer;
    if (isFirstOnly && (await this.users.hasAnyUser())) throw serverNotOpen();
    requireNoForeignIdentity(body);
    const account: NewUser = {
      ...profileChange(body),
      password: body.password,
      emailVerified: isAdmin && body.email_verified,
      emailSource: isAdmin ? '' : 'sign-up',
    };
    const options = { isFirstOnly, inviteId: inviteId || undefined };
    if (isAdmin)
      return this.users.create(account, { ...options, lane: actor.kind === 'local' ? 'local' : 'known' });
    return this.throttle.signUp(address, () => this.users.create(account, { ...options, lane: 'sign-up' }));
  }
}

/** The value that stock clients send for password accounts. */
const PASSWORD_ACCOUNT = 'email';

function requireNoForeignIdentity(body: CreateUserDto): void {
  if (body.id)
    throw new ValidationFailed('app.user.save.existing.app_error', 'id', 'the server assigns the id');
  if (body.auth_service && body.auth_service !== PASSWORD_ACCOUNT) {
    throw new ValidationFailed(
      'model.user.is_valid.auth_data_type.app_error',
      'auth_service',
      'accounts sign in by password here',
    );
  }
  if (body.auth_data) {
    throw new ValidationFailed(
      'model.user.is_valid.auth_data_type.app_error',
      'auth_data',
      'accounts sign in by password here',
    );
  }
}
