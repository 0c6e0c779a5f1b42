/**
 * Generates the table of events in docs/extending.md from the source. `node scripts/event-table.mjs` checks whether it is
 * up to date, and `--write` updates it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { unformatted } from './generated-table.mjs';
import { root } from './prepare.mjs';

const PAGE = path.join(root, 'docs', 'extending.md');
const TABLE = /(?<=<!-- events -->\n)[^]*(?=<!-- end of events -->)/;
const HEADER = [
  'Name',
  'Class',
  'When',
  'Facts',
  'In the transaction',
  'After the commit',
  'In every process',
];

const events = [];
/** Abstract events, by class name. */
const bases = new Map();
/** The modules and classes that listen, by phase and event class. */
const listeners = { InTransaction: new Map(), On: new Map(), OnEverywhere: new Map() };

for (const file of readdirSync(path.join(root, 'src'), { recursive: true }).sort()) {
  if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
  const name = path.join(root, 'src', file);
  const source = ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) if (ts.isClassDeclaration(statement)) readClass(statement, file);
}

function readClass(declaration, file) {
  const className = declaration.name.text;
  const heritage = (declaration.heritageClauses ?? []).map((clause) => clause.getText()).join(' ');
  const base = bases.get(/^extends (\w+)/.exec(heritage)?.[1]);
  const isEvent = base !== undefined || /\bDomainEvent\b/.test(heritage);
  if (isEvent && declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword))
    bases.set(className, declaration);
  else if (isEvent) events.push(eventOf(declaration, className, file, base));
  for (const member of declaration.members) {
    if (!ts.isMethodDeclaration(member)) continue;
    for (const { expression } of ts.getDecorators(member) ?? []) {
      if (!ts.isCallExpression(expression)) continue;
      const byEvent = listeners[expression.expression.getText()];
      const event = expression.arguments[0]?.getText();
      if (byEvent && event)
        byEvent.set(event, new Set(byEvent.get(event)).add(`${moduleOf(file)} ${className}`));
    }
  }
}

/** The folder of a module that the file belongs to: `outgoing-hooks`, or `channels` of `messaging/channels`. */
function moduleOf(file) {
  const [first, second] = file.split(path.sep);
  return ['platform', 'messaging', 'delivery'].includes(first) ? second : first;
}

function eventOf(declaration, className, file, base) {
  const field = declaration.members.find((member) => member.name?.getText() === 'name');
  const [constructor] = [declaration, base].flatMap(
    (each) => each?.members.filter(ts.isConstructorDeclaration) ?? [],
  );
  const [comment] = ts.getJSDocCommentsAndTags(declaration);
  return {
    name: field?.initializer?.text ?? '',
    className,
    file: file.split(path.sep).join('/'),
    when: (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' '),
    facts: (constructor?.parameters ?? []).map((parameter) => `\`${parameter.name.getText()}\``).join(', '),
  };
}

function rowOf({ name, className, file, when, facts }) {
  const heard = (phase) => [...(listeners[phase].get(className) ?? [])].sort().join(', ');
  const link = `[${className}](../src/${file})`;
  return [`\`${name}\``, link, when, facts, heard('InTransaction'), heard('On'), heard('OnEverywhere')];
}

const rows = events.sort((a, b) => (a.name < b.name ? -1 : 1)).map(rowOf);
const table = [HEADER, HEADER.map(() => '---'), ...rows];
const page = readFileSync(PAGE, 'utf8');
if (!TABLE.test(page)) throw new Error(`${PAGE} has no place for the table of events.`);
const expected = page.replace(TABLE, () => unformatted(table));

if (process.argv.includes('--write')) {
  writeFileSync(PAGE, expected);
} else if (expected !== page) {
  console.error(
    'The table of events in docs/extending.md is out of date: node scripts/event-table.mjs --write',
  );
  process.exitCode = 1;
}
