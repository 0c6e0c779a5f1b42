import type { Document, LineCounter } from 'yaml';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';

type Path = readonly (string | number)[];

const MAX_SHOWN = 20;
/** The section of an object, and its position there. */
const PATH_OF_OBJECT = 2;

/** A value of a file is invalid. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
  constructor(
    message: string,
    readonly path: Path = [],
  ) {
    super(message);
  }
}

/** Runs `read` for a part of a value, so that its Misfit names the part. */
export function within<T>(key: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Misfit ? new Misfit(error.message, [key, ...error.path]) : error;
  }
}

/** A YAML document. It collects what is wrong with it, so that it can be corrected in one go. */
export class YamlFile {
  private readonly faults: { readonly line: number; readonly text: string }[] = [];

  private constructor(
    private readonly name: string,
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** Parses one document. Aliases are refused: a small file could stand for a large one. Throws CommandRefused. */
  static async parse(name: string, text: string): Promise<YamlFile> {
    const { LineCounter, parseDocument, visit } = await import('yaml');
    const lines = new LineCounter();
    // The parser's own check for repeated keys compares each with all others.
    const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false } as const;
    const document = parseDocument(text, options);
    const file = new YamlFile(name, document, lines);
    for (const { pos, message } of [...document.errors, ...document.warnings]) file.note(pos[0], message);
    visit(document, {
      Alias: (_key, { range }) => file.note(range?.[0], 'aliases (*) are not supported: repeat the value'),
      Map: (_key, { items }) => {
        const keys = new Set<string>();
        for (const { key } of items as { key: { toJSON(): unknown; range?: [number] } }[]) {
          const text = String(key.toJSON());
          if (keys.has(text)) file.note(key.range?.[0], `${JSON.stringify(text)} is here twice`);
          keys.add(text);
        }
      },
    });
    file.refuseIfFaulty();
    return file;
  }

  get value(): unknown {
    return this.document.toJS() as unknown;
  }

  /** Returns what `read` returns; its Misfit is collected, as one of the value at `path`. */
  check<T>(path: Path, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      this.add([...path, ...error.path], error.message);
      return undefined;
    }
  }

  /** Collects that the value at `path` is invalid. */
  add(path: Path, reason: string): void {
    const field = path.slice(PATH_OF_OBJECT).join('.');
    this.note(this.offsetOf(path), field === '' ? reason : `${field}: ${reason}`);
  }

  /** Throws CommandRefused with a line for each fault. */
  refuseIfFaulty(): void {
    if (this.faults.length === 0) return;
    const sorted = [...this.faults].sort((a, b) => a.line - b.line);
    const shown = sorted.slice(0, MAX_SHOWN).map(({ line, text }) => `${this.name}:${line}: ${text}`);
    throw new CommandRefused([...shown, ...(sorted.length > MAX_SHOWN ? ['…'] : [])].join('\n'));
  }

  private note(offset: number | undefined, text: string): void {
    this.faults.push({ line: Math.max(1, this.lines.linePos(offset ?? 0).line), text });
  }

  /** Where a value is; for a missing one, where the value around it is. */
  private offsetOf(path: Path): number | undefined {
    const node = this.document.getIn(path, true) as { readonly range?: [number] } | undefined;
    return node?.range?.[0] ?? (path.length === 0 ? 0 : this.offsetOf(path.slice(0, -1)));
  }
}
