import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { UsersSettings } from './users.settings.js';
import type { Actor } from '../permissions/actor.js';
import type { CreateUserDto } from './dto/write-user.dto.js';
import { profileChange } from './profile-change.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import { SignUpInvites } from './sign-up-invites.js';
import type { User } from './user.entity.js';
import { serverNotOpen, signUpDisabled } from './users.errors.js';
import { UsersPolicy } from './users.policy.js';
import { type NewUser, UserRecords } from './user-records.js';

/** What comes with a sign-up besides the account: the invite id of a team, or the token of an invitation by mail. */
export interface Invitation {
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

  /** `address` is the caller's client block; administrators have no limit. */
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
    if (inviteId !== '') await this.invites.require(inviteId); // before the answer tells anything, or costs much
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

/** What stock clients send for an account that signs in by password. */
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
