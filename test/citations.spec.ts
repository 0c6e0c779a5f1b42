import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

const ROOT = resolve(__dirname, '..');
const FOLDERS = ['src', 'test', 'scripts', 'bench', 'docs', 'docker', '.github'];
const TEXTS = /\.(?:[cm]?[jt]s|md|ya?ml)$/;
const THIS = relative(ROOT, __filename);

const CITATION = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/** A file that a page names. */
const NAMED = /`((?:src|test|scripts|bench|docker)\/[\w./-]+\.\w+)`/g;
/** A link in a text, and the target of one that is defined elsewhere on the page. */
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)/g;
/** Books that are not in the repository, and the numbers of their decisions. */
const FOREIGN =
  /\bspec\/[\w-]+\.md|\b(?:interface|triggers|style|stack|design|messaging-core|remote-clusters)\.md\b|\bdesign sections?\b|\((?:[^()]*\W)?D\d+(?:\W[^()]*)?\)/;

interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return TEXTS.test(entry.name) ? [path] : [];
  });
}

const pages = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
const files = [...pages, ...FOLDERS.flatMap(filesIn)].filter((file) => file !== THIS.split(sep).join('/'));
const lines: readonly Place[] = files.flatMap((file) =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ file, line: index + 1, text })),
);

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  let isCode = false;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** What is wrong with a target, relative to a folder of the repository; undefined if it exists. */
function faultOf(target: string, folder: string, file: string): string | undefined {
  const [name = '', anchor] = target.split('#', 2);
  const path = name === '' ? join(ROOT, file) : resolve(ROOT, folder, decodeURI(name));
  if (!statSync(path, { throwIfNoEntry: false })) return 'no such file';
  if (anchor === undefined) return undefined;
  return anchorsOf(path).has(anchor) ? undefined : 'no such heading';
}

const describePlace = ({ file, line }: Place, what: string): string => `${file}:${line} ${what}`;

describe('references in sources and pages', () => {
  it('to pages of docs exist', () => {
    const faults = lines.flatMap((place) =>
      [...place.text.matchAll(CITATION)].flatMap(([target]) => {
        const fault = faultOf(target.replace(/\.$/, ''), '.', place.file);
        return fault === undefined ? [] : [describePlace(place, `${target}: ${fault}`)];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('from a page to another page or to itself exist', () => {
    const faults = lines
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap((place) =>
        [...place.text.replace(/`[^`]*`/g, '').matchAll(LINK)].flatMap(([, inline, named]) => {
          const target = inline ?? named ?? '';
          if (/^(?:https?|mailto):/.test(target)) return [];
          const fault = faultOf(target, dirname(place.file), place.file);
          return fault === undefined ? [] : [describePlace(place, `${target}: ${fault}`)];
        }),
      );
    expect(faults).toEqual([]);
  });

  it('lead from the README to every page', () => {
    const found = new Set<string>();
    const visit = (page: string): void => {
      if (found.has(page) || !files.includes(page)) return;
      found.add(page);
      for (const { text } of lines.filter(({ file }) => file === page))
        for (const [, inline, named] of text.matchAll(LINK))
          visit(posix.join(dirname(page), (inline ?? named ?? '').replace(/#.*$/, '')));
    };
    visit('README.md');
    const lost = files.filter((file) => /^(?:docs\/.*|[^/]*)\.md$/.test(file) && !found.has(file));
    expect(lost).toEqual([]);
  });

  it('from a page to a file exist', () => {
    const faults = lines
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap((place) =>
        [...place.text.matchAll(NAMED)].flatMap(([, target = '']) => {
          const fault = faultOf(target, '.', place.file);
          return fault === undefined ? [] : [describePlace(place, `${target}: ${fault}`)];
        }),
      );
    expect(faults).toEqual([]);
  });

  it('do not leave the repository', () => {
    const foreign = lines.filter(({ text }) => FOREIGN.test(text));
    expect(foreign.map((place) => describePlace(place, place.text.trim()))).toEqual([]);
  });

  it('list every decision', () => {
    const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8');
    const records = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => name !== 'README.md');
    expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });
});
