import { isAddress } from './is-address';

type Mark = '*' | '_' | '**' | '__' | '~~';

/** A piece of a line, with its formatting. */
export type Inline =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link' | 'image'; readonly target: string; readonly content: readonly Inline[] }
  | { readonly kind: 'marked'; readonly mark: Mark; readonly content: readonly Inline[] };

/**
 * An escape, code, link, URL, or run of marks. Brackets and parentheses may contain one nested pair. Parts
 * have a maximum length, and a failed match ends before the next place where one can start.
 */
const TOKEN = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/,
    /(?<!`)(?<ticks>`{1,3})(?!`)(?<code>.{0,1000}?[^`\n])\k<ticks>(?!`)/,
    /(?<image>!?)\[(?<label>(?:\\.|[^[\]\\\n]|\[[^[\]\n]{0,500}\]){0,500})\]\((?<target>(?:[^\s()]|\([^\s()]{0,500}\)){1,2000})\)/,
    /<(?<angled>(?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/,
    /(?<address>https?:\/\/(?:[^\s<>()]|\([^\s<>()]{0,500}\)){1,2000})/,
    /(?<run>\*+|_+|~+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
/** Punctuation and marks after a URL are not part of it. */
const AFTER_ADDRESS = new Set('.,:;!?\'"*_~');
const WORD = /[\p{L}\p{N}_]/u;

/** Open marks: at most one of each kind, which limits nesting. */
interface Frame {
  readonly mark: Mark | '';
  readonly content: Inline[];
}

/** Parses a line in one pass from left to right. Unclosed marks stay literal text. */
export function inlineOf(line: string, isInLink = false): Inline[] {
  const reader = new Reader();
  const tokens = new RegExp(TOKEN);
  let end = 0;
  for (let match = tokens.exec(line); match; match = tokens.exec(line)) {
    reader.add(line.slice(end, match.index));
    const { run, address } = match.groups ?? {};
    let token = match[0];
    if (address !== undefined) token = withoutEnd(address);
    tokens.lastIndex = end = match.index + token.length;
    if (run !== undefined) reader.addRun(run, line[match.index - 1], line[end]);
    else reader.add(pieceOf(token, match.groups ?? {}, isInLink));
  }
  reader.add(line.slice(end));
  return reader.finish();
}

function pieceOf(token: string, groups: Readonly<Record<string, string>>, isInLink: boolean): Inline {
  const { escaped, code, image, label, angled, address } = groups;
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return { kind: 'code', text: withoutPadding(code) };
  const target = groups['target'] ?? angled ?? (address === undefined ? '' : token);
  if (isInLink || !isAddress(target)) return token;
  const content = label ? inlineOf(label, true) : [target];
  return { kind: image ? 'image' : 'link', target, content };
}

function withoutEnd(address: string): string {
  let end = address.length;
  while (AFTER_ADDRESS.has(address[end - 1] ?? '')) end--;
  return address.slice(0, end);
}

/** Removes the padding that separates backticks in code. */
const withoutPadding = (code: string): string => /^ (.*\S.*) $/.exec(code)?.[1] ?? code;

class Reader {
  private readonly root: Frame = { mark: '', content: [] };
  private readonly frames: Frame[] = [this.root];

  add(piece: Inline, content = this.top.content): void {
    if (piece === '') return;
    const last = content.at(-1);
    if (typeof last === 'string' && typeof piece === 'string') content[content.length - 1] = last + piece;
    else content.push(piece);
  }

  /** Marks open before a non-space and close after one; underscores only at word boundaries. */
  addRun(run: string, before = ' ', after = ' '): void {
    const sign = run[0] ?? '';
    let left = run.length;
    if (left > 3 || (sign === '~' && left !== 2)) return this.add(run);
    const isWordly = sign === '_';
    const closes = /\S/.test(before) && !(isWordly && WORD.test(after));
    const opens = /\S/.test(after) && !(isWordly && WORD.test(before));
    for (let length = closes ? this.openOf(sign, left) : 0; length > 0; length = this.openOf(sign, left)) {
      this.close(sign.repeat(length));
      left -= length;
    }
    if (!opens) return this.add(sign.repeat(left));
    if (left > 1) this.open((sign + sign) as Mark);
    if (left % 2 === 1) this.open(sign as Mark);
  }

  finish(): Inline[] {
    this.unwind(1);
    return this.root.content;
  }

  private get top(): Frame {
    return this.frames.at(-1) ?? this.root;
  }

  /** Length of the mark that a run of this length closes first; 0 if it closes none. */
  private openOf(sign: string, length: number): number {
    const isOpen = (mark: string): boolean => this.frames.some((frame) => frame.mark === mark);
    if (length === 0) return 0;
    if (length < 3) return isOpen(sign.repeat(length)) ? length : 0;
    return this.frames.findLast(({ mark }) => mark.startsWith(sign))?.mark.length ?? 0;
  }

  private open(mark: Mark): void {
    const at = this.frames.findIndex((frame) => frame.mark === mark);
    if (at !== -1) this.drop(at);
    this.frames.push({ mark, content: [] });
  }

  private close(mark: string): void {
    this.unwind(this.frames.findIndex((frame) => frame.mark === mark) + 1);
    const frame = this.frames.pop();
    if (frame && frame.mark !== '') this.add({ kind: 'marked', mark: frame.mark, content: frame.content });
  }

  /** Turns unclosed marks from an index on into text. */
  private unwind(from: number): void {
    while (this.frames.length > from) this.drop(this.frames.length - 1);
  }

  private drop(at: number): void {
    const [frame] = this.frames.splice(at, 1);
    const below = this.frames[at - 1];
    if (!frame || !below) return;
    this.add(frame.mark, below.content);
    for (const piece of frame.content) this.add(piece, below.content);
  }
}
