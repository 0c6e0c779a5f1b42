import { byteLength } from './utf8.js';

/** The maximum size of a response. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The total JSON size that the items of a list may take. */
export class JsonBudget {
  constructor(private left: number) {}

  take(item: object): boolean {
    this.left -= byteLength(JSON.stringify(item)) + 1;
    return this.left >= 0;
  }
}
