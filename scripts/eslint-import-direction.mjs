/**
 * Lint rules that keep the modules of src in one order, so that none depends on another in a circle.
 *
 * `direction`: a folder imports only from rows above its own. Files directly in src put the modules
 * together and may import everything.
 * `own-repository`: a repository is imported only inside its folder; others use the service.
 */
import path from 'node:path';
import { root } from './prepare.mjs';

/** Each folder may import from the rows above; folders of one row do not import each other. */
const order = [
  ['common'],
  ['config'],
  ['secrets'],
  ['logging'],
  ['database'],
  ['permissions'],
  ['audit', 'metrics'],
  ['users'],
  ['auth'],
  ['teams'],
  ['channels'],
  ['posts'],
  ['live'],
  ['outbound'],
  ['dispatch'],
  ['incoming-hooks', 'outgoing-hooks', 'remote-cluster'],
  ['health', 'system', 'bootstrap', 'local-mode'],
];

/** Below them in the order, and still none of their business. */
const unaware = {
  outbound: ['posts', 'live'],
  dispatch: ['posts', 'live'],
};

/** The list of all tables has to name entities of every folder. */
const mayNameEveryEntity = 'database/schema.ts';

const source = path.join(root, 'src');
const rowOf = (folder) => order.findIndex((row) => row.includes(folder));

/** The path inside src with forward slashes, or undefined when it lies elsewhere. */
function insideSource(file) {
  const inside = path.relative(source, file).split(path.sep).join('/');
  return inside.startsWith('..') || path.isAbsolute(inside) ? undefined : inside;
}

const folderOf = (inside) => (inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : undefined);

/** Calls check(from, to, report) for each relative import between two places inside src. */
function forEachImport(context, check) {
  const from = insideSource(context.filename);
  if (from === undefined) return {};
  const visit = (node, literal) => {
    if (typeof literal?.value !== 'string' || !literal.value.startsWith('.')) return;
    const to = insideSource(path.resolve(path.dirname(context.filename), literal.value));
    check(from, to, (message) => context.report({ node, message }));
  };
  return {
    ImportDeclaration: (node) => visit(node, node.source),
    ExportNamedDeclaration: (node) => visit(node, node.source),
    ExportAllDeclaration: (node) => visit(node, node.source),
    ImportExpression: (node) => visit(node, node.source),
    TSImportType: (node) => visit(node, node.source ?? node.argument?.literal),
    TSExternalModuleReference: (node) => visit(node, node.expression),
  };
}

function judgeDirection(from, to) {
  const importer = folderOf(from);
  if (importer === undefined) return undefined;
  if (rowOf(importer) < 0) {
    return `src/${importer} has no place in the import order yet: give it one in scripts/eslint-import-direction.mjs.`;
  }
  if (to === undefined)
    return from.endsWith('.spec.ts') ? undefined : 'src imports nothing from outside src.';
  const imported = folderOf(to);
  if (imported === importer) return undefined;
  if (imported === undefined)
    return `src/${importer} must not import ${to}, which puts the modules together.`;
  if (from === mayNameEveryEntity && /\.entity\.[jt]s$/.test(to)) return undefined;
  if (unaware[importer]?.includes(imported)) return `src/${importer} must know nothing of src/${imported}.`;
  if (rowOf(imported) >= 0 && rowOf(imported) < rowOf(importer)) return undefined;
  return `src/${importer} must not import from src/${imported}: see the order in scripts/eslint-import-direction.mjs.`;
}

export default {
  rules: {
    direction: {
      create: (context) =>
        forEachImport(context, (from, to, report) => {
          const objection = judgeDirection(from, to);
          if (objection) report(objection);
        }),
    },
    'own-repository': {
      create: (context) =>
        forEachImport(context, (from, to, report) => {
          if (to === undefined || !/\.repository(\.[jt]s)?$/.test(to)) return;
          if (path.posix.dirname(to) === path.posix.dirname(from) || folderOf(to) === folderOf(from)) return;
          report(
            `${path.posix.basename(to)} belongs to src/${folderOf(to)}: use the service of that folder.`,
          );
        }),
    },
  },
};
