import { byteLength } from './utf8.js';

/** The most that an answer may have. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the items of a list may take as JSON, all together. */
export class JsonBudget {
  constructor(private left: number) {}

  /** Whether the item still fits, and then counts it. */
  take(item: object): boolean {
    this.left -= byteLength(JSON.stringify(item)) + 1;
    return this.left >= 0;
  }
}
