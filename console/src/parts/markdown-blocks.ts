/** Blocks of a text, from top to bottom. */
export type Block =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** A block, and the index of the line after it. */
type Found = readonly [block: Block, end: number];
type Lines = readonly string[];

const OPENING = /^ {0,3}```[^`]*$/;
const CLOSING = /^ {0,3}```\s*$/;
const HEADING = /^ {0,3}(#{1,6}) +(\S.*)$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)]) +(\S.*)$/;
/** Lines are scanned once per nesting level of quotes and lists; deeper levels stay plain text. */
const MAX_DEPTH = 6;

/** Parses a text, one pass per nesting level. Unclosed or incomplete markup stays literal text. */
export function blocksOf(text: string): Block[] {
  return read(text.split(/\r?\n/).map(withoutTabs), 0);
}

const withoutTabs = (line: string): string => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length));
const isBlank = (line: string | undefined): boolean => line?.trim() === '';
const indentOf = (line: string): number => line.length - line.trimStart().length;

function read(lines: Lines, depth: number): Block[] {
  const blocks: Block[] = [];
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) blocks.push({ kind: 'text', text: text.join('\n') });
    text = [];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const found = blockAt(lines, at, line, depth);
    if (found || isBlank(line)) endText();
    else text.push(line);
    if (found) blocks.push(found[0]);
    at = found ? found[1] : at + 1;
  }
  endText();
  return blocks;
}

function blockAt(lines: Lines, at: number, line: string, depth: number): Found | undefined {
  if (OPENING.test(line)) return codeAt(lines, at, line);
  const heading = HEADING.exec(line);
  if (heading) return [{ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, at + 1];
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1];
  if (depth < MAX_DEPTH && QUOTE.test(line)) return quoteAt(lines, at, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return listAt(lines, at, line, depth);
  return tableAt(lines, at, line);
}

/** Unclosed code ends with the text. Fences without code are text. */
function codeAt(lines: Lines, at: number, fence: string): Found {
  const code = firstOfCode(fence);
  let end = at + 1;
  for (; end < lines.length && !CLOSING.test(lines[end] ?? ''); end++) code.push(lines[end] ?? '');
  if (code.length === 0) return [{ kind: 'text', text: fence }, end + 1];
  return [{ kind: 'code', text: code.join('\n') }, end + 1];
}

/** A single word after a fence is the language; more is the first line of code. */
function firstOfCode(fence: string): string[] {
  const rest = fence.trim().slice('```'.length).trim();
  return /\s/.test(rest) ? [rest] : [];
}

function quoteAt(lines: Lines, at: number, depth: number): Found {
  const quoted: string[] = [];
  let end = at;
  for (; QUOTE.test(lines[end] ?? ''); end++) quoted.push((lines[end] ?? '').replace(QUOTE, ''));
  return [{ kind: 'quote', blocks: read(quoted, depth + 1) }, end];
}

/** Lines indented deeper than the first item belong to the preceding item. */
function listAt(lines: Lines, at: number, first: string, depth: number): Found {
  const indent = indentOf(first);
  const [, , marker = '-'] = ITEM.exec(first) ?? [];
  const isNumbered = (sign = ''): boolean => sign.length > 1;
  const items: string[][] = [];
  let inner = 0;
  let end = at;
  for (let next = at; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (isBlank(line)) {
      items.at(-1)?.push('');
      continue;
    }
    const [, , sign, text] = ITEM.exec(line) ?? [];
    const by = indentOf(line);
    if (text !== undefined && by <= indent + 1) {
      if (isNumbered(sign) !== isNumbered(marker)) break;
      items.push([text]);
      inner = by + (sign?.length ?? 1) + 1;
    } else if (by > indent + 1) items.at(-1)?.push(line.slice(Math.min(by, inner)));
    else break;
    end = next + 1;
  }
  const start = isNumbered(marker) ? Number.parseInt(marker, 10) : null;
  return [{ kind: 'list', start, items: items.map((item) => read(item, depth + 1)) }, end];
}

/** A header line, a delimiter line with the same number of cells, and unparsed rows. */
function tableAt(lines: Lines, at: number, line: string): Found | undefined {
  const below = lines[at + 1] ?? '';
  if (!line.includes('|') || !below.includes('|') || !below.includes('-')) return undefined;
  const head = cellsOf(line);
  const dashes = cellsOf(below);
  if (dashes.length !== head.length || !dashes.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const rows: string[][] = [];
  let end = at + 2;
  for (; lines[end]?.includes('|'); end++) rows.push(cellsOf(lines[end] ?? ''));
  return [{ kind: 'table', head, rows }, end];
}

function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}
