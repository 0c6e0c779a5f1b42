import { ChangeLog, type NumberedChanges } from './change-log.js';

/** The change log of a process that owns its database: nobody else changes it, and nobody has to hear. */
export class OwnChanges extends ChangeLog {
  readonly isShared = false;

  on(): void {
    // Nobody else changes the database.
  }

  caughtUp(): Promise<void> {
    return Promise.resolve();
  }

  numbered(): NumberedChanges {
    return { statements: [], committed: () => Promise.resolve() };
  }

  append(): void {
    // Nobody listens.
  }
}
