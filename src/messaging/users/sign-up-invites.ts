import { Injectable } from '@nestjs/common';
import { serverNotOpen } from './users.errors.js';

/** Tells which invite ids let somebody sign up. The module whose invites they are says so when it starts. */
@Injectable()
export class SignUpInvites {
  /** Throws for an unknown invite id. */
  require: (inviteId: string) => Promise<void> = () => Promise.reject(serverNotOpen());
}
