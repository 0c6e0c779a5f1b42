/**
 * In-transaction only: an account has a new password. Every session ends but the one that changed it, which is empty
 * when somebody else did.
 */
export class UserPasswordChanged {
  constructor(
    readonly userId: string,
    readonly keptSessionId: string,
  ) {}
}
