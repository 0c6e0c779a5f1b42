import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const BLOCK = /^```(ts|diff) (\S+)\n([^]*?)\n```$/gm;

/**
 * Makes the files and changes that a page shows, below `folder`: of a block ```ts FILE that is the whole file, of a block
 * ```diff FILE parts with `@@` between them, each of which fits once. Gives the names of the files.
 */
export function followTutorial(page: string, folder: string): string[] {
  return [...page.matchAll(BLOCK)].map(([, kind, path = '', body = '']) => {
    const name = kind === 'ts' ? path : existing(folder, path);
    const file = join(folder, name);
    const text = kind === 'ts' ? `${body}\n` : changed(readFileSync(file, 'utf8'), body, name);
    writeFileSync(file, text);
    return name;
  });
}

/** The file of that name, in which `*` stands for digits. */
function existing(folder: string, path: string): string {
  const pattern = new RegExp(`^${basename(path).replaceAll('.', '\\.').replace('*', '\\d+')}$`);
  const name = readdirSync(join(folder, dirname(path))).find((entry) => pattern.test(entry));
  if (name === undefined) throw new Error(`The page changes ${path}, which is not there.`);
  return join(dirname(path), name);
}

function changed(before: string, diff: string, name: string): string {
  return diff.split(/^@@\n/m).reduce((text, part) => {
    const lines = part.replace(/\n$/, '').split('\n');
    const without = (sign: string): string =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const old = without('+');
    if (old === '') return `${without('-')}${text}`; // imports
    if (text.split(old).length !== 2) throw new Error(`This part does not fit into ${name} once:\n${part}`);
    return text.replace(old, () => without('-'));
  }, before);
}
