import { type SecretBox, SecretUnreadable } from '../../../platform/secrets/secret-box.js';

const PLACE = { table: 'lanes', column: 'name', id: '' };
/** Long enough to be unique; every job has one. */
const HASH_LENGTH = 27;

/** Encrypts names sent through Redis, so that its readers cannot learn or guess whom the server calls. */
export class HiddenNames {
  constructor(private readonly secrets: Pick<SecretBox, 'hash' | 'seal' | 'open'>) {}

  /** A hash of a lane, owner or URL, the same in every process. */
  readonly hashOf = (text: string): string => this.secrets.hash(text, PLACE).slice(0, HASH_LENGTH);

  /** Encrypts the name of a lane for a process that may not know it yet. */
  seal(lane: string): string {
    return this.secrets.seal(lane, PLACE);
  }

  /** Decrypts a name sealed by another process; undefined if it cannot be read. */
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
