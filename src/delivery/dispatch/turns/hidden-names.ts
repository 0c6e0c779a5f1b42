import { type SecretBox, SecretUnreadable } from '../../../platform/secrets/secret-box.js';

const PLACE = { table: 'lanes', column: 'name', id: '' };
/** As long as is needed to tell them apart: each job has one. */
const HASH_LENGTH = 27;

/** Names as they go through Redis: who reads there must not learn whom this installation calls, even by guessing. */
export class HiddenNames {
  constructor(private readonly secrets: Pick<SecretBox, 'hash' | 'seal' | 'open'>) {}

  /** Stands for a lane, an owner or a URL: the same in each process. */
  readonly hashOf = (text: string): string => this.secrets.hash(text, PLACE).slice(0, HASH_LENGTH);

  /** The name of a lane, for a process that may not know it yet. */
  seal(lane: string): string {
    return this.secrets.seal(lane, PLACE);
  }

  /** The name that another process has sealed; undefined if it cannot be read. */
  open(sealed: unknown): string | undefined {
    if (typeof sealed !== 'string') return undefined;
    try {
      return this.secrets.open(sealed, PLACE);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}
