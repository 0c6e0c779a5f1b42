import type { Contribution } from '../database/contribution.js';
import type { Statement } from '../database/statement.js';

/** The record that a request makes or changes. */
export interface Subject {
  readonly id: string;
  /** As it is answered. */
  readonly record?: object | undefined;
  /** As it was answered before. */
  readonly prior?: object | undefined;
}

/** The audit row of a request that is being handled: it is stored with the first change that the request makes. */
export class AuditedChange implements Contribution {
  isStored = false;
  subject: Subject | undefined;

  /** `write`: the statements of the row, none as long as a part of it is not known. */
  constructor(private readonly write: (subject: Subject | undefined) => readonly Statement[]) {}

  statements(): readonly Statement[] {
    return this.write(this.subject);
  }

  onStored(): void {
    this.isStored = true;
  }
}
