import { Injectable } from '@nestjs/common';
import { ServerNotOpen } from './users.errors.js';

/** Tells which invite ids let somebody sign up. The module whose invites they are says so when it starts. */
@Injectable()
export class SignUpInvites {
  /** Throws for an unknown invite id. */
  require: (inviteId: string) => Promise<void> = () => Promise.reject(new ServerNotOpen());
}
