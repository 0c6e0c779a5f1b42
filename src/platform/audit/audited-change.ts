import type { Statement } from '../database/statement.js';
import type { Contribution } from '../database/unit-of-work.js';

/** The record that a request creates or changes. */
export interface Subject {
  readonly id: string;
  readonly record?: object | undefined;
  /** The record as returned before the change. */
  readonly prior?: object | undefined;
}

/** The audit row of the current request, stored with the first change that the request makes. */
export class AuditedChange implements Contribution {
  isStored = false;
  subject: Subject | undefined;

  /** `write` returns the statements of the row; none while a part of it is unknown. */
  constructor(private readonly write: (subject: Subject | undefined) => readonly Statement[]) {}

  statements(): readonly Statement[] {
    return this.write(this.subject);
  }

  onStored(): void {
    this.isStored = true;
  }
}
