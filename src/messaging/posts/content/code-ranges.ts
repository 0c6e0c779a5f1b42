/** A range of code in a Markdown text, including its delimiters. `end` is exclusive. */
export interface CodeRange {
  readonly start: number;
  readonly end: number;
  /** Absent for a code span. */
  readonly fence?: FenceLines;
}

/** The delimiter lines of a fenced code block. */
export interface FenceLines {
  /** Reopens the block at the start of a text, including the info string. */
  readonly opening: string;
  readonly closing: string;
  readonly isClosed: boolean;
}

/** Where a fence or span may begin: the blockquote depth and the indentation of the list item. */
interface Container {
  readonly quotes: number;
  readonly indent: number;
}

interface Fence extends Container {
  readonly start: number;
  readonly marker: string;
  /** The text after the marker. */
  readonly info: string;
}

const QUOTE = / {0,3}> ?/y;
const LIST_MARKER = / *(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?=\s|$))/y;
const HEADING = / {0,3}#{1,6}(?=\s|$)/y;
const OPENING = / *(?:(`{3,})([^`]*)|(~{3,})(.*))$/y;
const CLOSING = / *(`{3,}|~{3,})\s*$/y;
/** A line indented this many spaces cannot open or close a fence. */
const INDENTED_CODE = 4;

/**
 * Returns the code spans and fenced code blocks of a Markdown text, in order, as defined by CommonMark. A
 * span ends with a run of backticks of the same length in the same paragraph. An unclosed fence extends to
 * the end of its quote, list item or text. Indented code is ignored, since logs and lists are often indented.
 */
export function codeRanges(text: string): CodeRange[] {
  return text.includes('`') || text.includes('~~~') ? new Reader(text).read() : [];
}

/** Returns the range that contains the character at an index. */
export function rangeAt<T extends CodeRange>(ranges: readonly T[], at: number): T | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range && range.start <= at ? range : undefined;
}

/** Returns a function that reports whether the character at an index is in code. */
export function codeTest(text: string): (at: number) => boolean {
  const ranges = codeRanges(text);
  return (at) => rangeAt(ranges, at) !== undefined;
}

/** Applies `change` to everything outside code. */
export function changeOutsideCode(text: string, change: (part: string) => string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of [...codeRanges(text), { start: text.length, end: text.length }]) {
    parts.push(change(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  return parts.join('');
}

class Reader {
  private readonly ranges: CodeRange[] = [];
  private paragraphStart = 0;
  private quotes = 0;
  private listIndent = 0;
  private fence: Fence | undefined;

  constructor(private readonly text: string) {}

  read(): CodeRange[] {
    for (let start = 0; start <= this.text.length;) {
      const newline = this.text.indexOf('\n', start);
      const end = newline === -1 ? this.text.length : newline;
      this.line(start, this.text.slice(start, end), end);
      start = end + 1;
    }
    const { fence, text, paragraphStart } = this;
    if (fence) this.block(fence, text.length, false);
    else this.spans(paragraphStart, text.length);
    return this.ranges;
  }

  private line(start: number, line: string, end: number): void {
    if (this.fence && this.continues(this.fence, start, line, end)) return;
    const at = this.enter(start, line);
    const opened = matchAt(OPENING, line, at);
    const marker = opened?.[1] ?? opened?.[3];
    const info = opened?.[2] ?? opened?.[4] ?? '';
    if (marker !== undefined && indentAt(line, at) < INDENTED_CODE) {
      this.spans(this.paragraphStart, start);
      this.fence = { start, marker, info, quotes: this.quotes, indent: this.listIndent };
    } else if (matchAt(HEADING, line, at)) {
      this.endParagraph(start);
      this.endParagraph(end);
    } else if (line.trim() === '') {
      this.endParagraph(start);
    }
  }

  /** Whether the line belongs to the fence. Ends the fence at its last line. */
  private continues(fence: Fence, start: number, line: string, end: number): boolean {
    let at = 0;
    for (let depth = 0; depth < fence.quotes; depth++) {
      if (!matchAt(QUOTE, line, at)) return this.leave(fence, start);
      at = QUOTE.lastIndex;
    }
    const indent = indentAt(line, at);
    if (indent < fence.indent && line.slice(at).trim() !== '') return this.leave(fence, start);
    const closing = matchAt(CLOSING, line, at)?.[1];
    if (closing?.startsWith(fence.marker) === true && indent - fence.indent < INDENTED_CODE) {
      this.block(fence, end, true);
    }
    return true;
  }

  private leave(fence: Fence, start: number): false {
    this.block(fence, start, true);
    return false;
  }

  private block({ start, marker, info, quotes, indent }: Fence, end: number, isClosed: boolean): void {
    const quote = '> '.repeat(quotes);
    const fence = { opening: quote + marker + info, closing: quote + ' '.repeat(indent) + marker, isClosed };
    this.ranges.push({ start, end, fence });
    this.fence = undefined;
    this.paragraphStart = end;
  }

  /** Returns where the content starts inside quotes and list items. Ends the paragraph if these change. */
  private enter(start: number, line: string): number {
    let at = 0;
    let quotes = 0;
    for (; matchAt(QUOTE, line, at); quotes++) at = QUOTE.lastIndex;
    if (quotes !== this.quotes) {
      this.endParagraph(start);
      this.quotes = quotes;
      this.listIndent = 0;
    }
    const content = at;
    if (indentAt(line, at) < this.listIndent && line.slice(at).trim() !== '') this.listIndent = 0;
    at += Math.min(this.listIndent, indentAt(line, at));
    while (indentAt(line, at) < INDENTED_CODE && matchAt(LIST_MARKER, line, at)) {
      at = LIST_MARKER.lastIndex;
      this.endParagraph(start);
      this.listIndent = at - content;
    }
    return at;
  }

  private endParagraph(at: number): void {
    this.spans(this.paragraphStart, at);
    this.paragraphStart = at;
  }

  private spans(start: number, end: number): void {
    const runs = Array.from(this.text.slice(start, end).matchAll(/`+/g), ({ index, 0: { length } }) => ({
      at: start + index,
      length,
    }));
    const closers = closersOf(runs.map(({ length }) => length));
    let at = start;
    for (let index = 0; index < runs.length; index++) {
      const opening = runs[index]?.at ?? 0;
      const isEscaped = countBackslashes(this.text, at, opening) % 2 === 1;
      const closer = closers[index]?.[isEscaped ? 'ofOneLess' : 'ofSame'];
      const closing = closer === undefined ? undefined : runs[closer];
      if (closer === undefined || !closing) continue;
      at = closing.at + closing.length;
      this.ranges.push({ start: isEscaped ? opening + 1 : opening, end: at });
      index = closer;
    }
  }
}

interface Closers {
  readonly ofSame: number | undefined;
  readonly ofOneLess: number | undefined;
}

/** For each run of backticks, finds the next run of the same length and the next one shorter by one. */
function closersOf(lengths: readonly number[]): readonly Closers[] {
  const next = new Map<number, number>();
  const closers: Closers[] = [];
  for (const [index, length] of [...lengths.entries()].reverse()) {
    closers.push({ ofSame: next.get(length), ofOneLess: next.get(length - 1) });
    next.set(length, index);
  }
  return closers.reverse();
}

/** Counts the backslashes directly before `end`, not looking before `start`. */
function countBackslashes(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text[at - 1] === '\\') at--;
  return end - at;
}

function indentAt(line: string, at: number): number {
  let end = at;
  while (line[end] === ' ') end++;
  return end - at;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}
