import { CommandRefused } from '../../platform/common/errors/command-refused.js';

const MAX_SHOWN = 20;

/** A value of the file is invalid; `line` is where it is. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Collects what is wrong with a file, so that it can be corrected in one go. */
export class Faults {
  private readonly found: { readonly line: number; readonly text: string }[] = [];

  constructor(private readonly file: string) {}

  add(line: number, text: string): void {
    this.found.push({ line, text });
  }

  /** Returns what `action` returns; a Misfit is collected instead. */
  catching<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      this.add(error.line, error.message);
      return undefined;
    }
  }

  /** Throws CommandRefused with a line for each fault. */
  throwIfAny(): void {
    if (this.found.length === 0) return;
    const lines = [...this.found]
      .sort((a, b) => a.line - b.line)
      .slice(0, MAX_SHOWN)
      .map(({ line, text }) => `${this.file}:${line}: ${text}`);
    const more = this.found.length - lines.length;
    throw new CommandRefused([...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n'));
  }
}
