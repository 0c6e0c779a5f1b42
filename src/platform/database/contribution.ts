import type { Statement } from './statement.js';

/** What a request stores together with its first change, such as its audit row: both are stored, or neither. */
export interface Contribution {
  /** Asked for once the change is written, and again if that is repeated. Empty as long as it is not known. */
  statements(): readonly Statement[];
  /** Called when the statements are stored. */
  onStored(): void;
}

/** Holds a contribution until one change has stored it. */
export class ContributionSlot {
  private isFree = true;
  private isClosed = false;

  constructor(readonly contribution: Contribution) {}

  /** Runs `store` with the contribution, or without it if another change has it. Free again unless it was stored. */
  async fill<T>(store: (statements: () => readonly Statement[]) => Promise<T>): Promise<T> {
    if (!this.isFree || this.isClosed) return store(() => []);
    this.isFree = false;
    let isGiven = false;
    try {
      const result = await store(() => {
        const statements = this.isClosed ? [] : this.contribution.statements();
        isGiven = statements.length > 0;
        return statements;
      });
      if (isGiven) this.contribution.onStored();
      else this.isFree = true;
      return result;
    } catch (error) {
      this.isFree = true;
      throw error;
    }
  }

  /** No change takes the contribution any more. */
  close(): void {
    this.isClosed = true;
  }
}
