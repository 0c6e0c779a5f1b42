import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const SOURCES = join(__dirname, '../../../src');
/** Types in which text arrives. */
const TEXT =
  /\b(?:string|unknown|Buffer|JsonObject|SentAttachments|Attachment|PreparedMessage|IncomingHttpHeaders|HttpRequest)\b/;

/** The modules of the server, without specs, each by its path below `src`. */
function* modules(): Generator<[path: string, source: ts.SourceFile]> {
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const path = join(SOURCES, name);
    yield [
      relative(SOURCES, path),
      ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
    ];
  }
}

/**
 * The exported functions that take text, as `path name`. Decorators, which start with a capital, are excluded, and so
 * are error catalogues, which only put text into messages.
 */
export function functionsWithText(): string[] {
  const found: string[] = [];
  for (const [path, source] of modules()) {
    if (/[.-]errors\.ts$/.test(path)) continue;
    for (const statement of source.statements)
      for (const [name, parameters] of exportedFunctions(statement))
        if (/^[a-z]/.test(name) && parameters.some(({ type }) => type && TEXT.test(type.getText(source))))
          found.push(`${path} ${name}`);
  }
  return found;
}

/** All regular expression literals, as `path /source/flags`. */
export function regularExpressions(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  for (const [path, source] of modules()) {
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const flags = node.text.slice(end + 1).replace('g', '');
        found.set(`${path} ${node.text}`, new RegExp(node.text.slice(1, end), flags));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function exportedFunctions(
  statement: ts.Statement,
): [name: string, parameters: readonly ts.ParameterDeclaration[]][] {
  if (!ts.canHaveModifiers(statement)) return [];
  const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? '', [...statement.parameters]]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer && ts.isArrowFunction(initializer) ? [[name.getText(), [...initializer.parameters]]] : [],
  );
}
