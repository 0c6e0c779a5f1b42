import { Misfit } from './faults.js';

/** A value of a YAML file, with its line. */
export interface Tree {
  readonly line: number;
  readonly value: string | number | boolean | null | readonly Tree[] | ReadonlyMap<string, Tree>;
}

/** Deeper than anything that a file needs. */
const MAX_DEPTH = 10;
const MAX_BRACKETS = 100;

/**
 * Parses one YAML document. Aliases are refused, so that a small file cannot stand for a large one, and so are tags.
 * Throws Misfit.
 */
export async function parseTree(text: string): Promise<Tree> {
  const yaml = await import('yaml');
  requireShallow(text);
  const lines = new yaml.LineCounter();
  const lineAt = (offset: number | undefined): number => Math.max(1, lines.linePos(offset ?? 0).line);
  // The built-in check for repeated keys compares each with all others.
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw new Misfit(lineAt(fault.pos[0]), `this is not valid YAML: ${fault.message}`);

  const treeOf = (node: unknown, line: number, depth: number): Tree => {
    if (depth > MAX_DEPTH) throw new Misfit(line, 'this is nested too deeply');
    if (yaml.isAlias(node)) throw new Misfit(line, 'aliases (*) are not supported: repeat the value');
    if (yaml.isSeq(node)) {
      const items = node.items.map((item) => treeOf(item, lineOf(item) ?? line, depth + 1));
      return { line, value: items };
    }
    if (!yaml.isMap(node)) return { line, value: scalarOf(yaml.isScalar(node) ? node.value : node, line) };
    const map = new Map<string, Tree>();
    for (const { key, value } of node.items) {
      const keyLine = lineOf(key) ?? line;
      const name: unknown = yaml.isScalar(key) ? key.value : undefined;
      if (typeof name !== 'string') throw new Misfit(keyLine, 'a key must be a text');
      if (map.has(name)) throw new Misfit(keyLine, `${JSON.stringify(name)} is here twice`);
      map.set(name, treeOf(value, keyLine, depth + 1));
    }
    return { line, value: map };
  };
  const lineOf = (node: unknown): number | undefined =>
    yaml.isNode(node) && node.range ? lineAt(node.range[0]) : undefined;
  return treeOf(document.contents, lineOf(document.contents) ?? 1, 0);
}

function scalarOf(value: unknown, line: number): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Misfit(line, 'this type of value is not supported');
}

/** The parser is recursive, and a long row of brackets or dashes would exhaust the stack. */
function requireShallow(text: string): void {
  const lines = text.split('\n');
  const line = lines.findIndex(
    (each) => /^[\s\-?:[{]*$/.test(each) && each.replace(/\s/g, '').length > MAX_BRACKETS,
  );
  if (line >= 0) throw new Misfit(line + 1, 'this is nested too deeply');
}
