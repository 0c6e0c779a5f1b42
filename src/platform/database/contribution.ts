import type { Statement } from './statement.js';

/** Statements that a request stores with its first change, such as its audit row: all or nothing. */
export interface Contribution {
  /** Called once the change is written, and again on each retry. Empty while not all values are known. */
  statements(): readonly Statement[];
  /** Called once the statements are stored. */
  onStored(): void;
}

/** Keeps a contribution until one change has stored it. */
export class ContributionSlot {
  private isFree = true;
  private isClosed = false;

  constructor(readonly contribution: Contribution) {}

  /** Runs `store` with the contribution, unless another change has it. Frees it if it was not stored. */
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

  /** No later change stores the contribution. */
  close(): void {
    this.isClosed = true;
  }
}
