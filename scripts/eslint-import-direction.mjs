/**
 * Lint rules that keep the modules of src in one order, so that none depends on another in a circle.
 *
 * `direction`: a folder imports only from rows above its own. Files directly in src put the modules
 * together and may import everything. A folder that has no row stands on top: it may import every
 * folder that has one. `startup` may import the files directly in src as well.
 * `own-repository`: a repository is imported only inside its module; others use the service.
 */
import path from 'node:path';
import { root } from './prepare.mjs';

/** Folders that contain modules but are not modules themselves. */
const groups = ['platform', 'messaging', 'delivery'];

/** Each module may import from the rows above; modules of one row do not import each other. */
const order = [
  ['platform/common'],
  ['platform/config'],
  ['platform/access'],
  ['platform/modules'],
  ['platform/secrets'],
  ['platform/logging'],
  ['platform/database'],
  ['platform/scaling'],
  ['platform/events'],
  ['platform/audit', 'platform/metrics', 'platform/tracing'],
  ['platform/health', 'platform/local-mode'],
  ['messaging/permissions'],
  ['messaging/users'],
  ['messaging/auth'],
  ['messaging/teams'],
  ['messaging/owners'],
  ['messaging/channels'],
  ['messaging/posts'],
  ['messaging/live'],
  ['messaging/system'],
  ['delivery/outbound'],
  ['delivery/dispatch'],
  ['incoming-hooks', 'outgoing-hooks', 'remote-cluster'],
  ['shared-channels'],
];

/** Groups that a group must not import although their rows are above its own. */
const unaware = { delivery: 'messaging' };

/** The only module that may import the files directly in src, because it starts the application. */
const starter = 'startup';

/** The folder src. */
export const source = path.join(root, 'src');

/** The path inside src with forward slashes, or undefined if it is outside. */
export function insideSource(file) {
  const inside = path.relative(source, file).split(path.sep).join('/');
  return inside.startsWith('..') || path.isAbsolute(inside) ? undefined : inside;
}

/** The module that a path inside src belongs to; undefined for files directly in src. */
export function moduleOf(inside) {
  const [first, second, ...rest] = inside.split('/');
  if (second === undefined) return undefined;
  return groups.includes(first) && rest.length > 0 ? `${first}/${second}` : first;
}

const groupOf = (module) => module.split('/', 1)[0];

/** The row of a module. One without a row is on top of its group, or of everything if it has no group. */
function rowOf(module) {
  const row = order.findIndex((modules) => modules.includes(module));
  if (row >= 0) return row;
  const lastOfGroup = order.findLastIndex(([first]) => groupOf(first) === groupOf(module));
  return lastOfGroup < 0 ? order.length : lastOfGroup + 0.5;
}

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

function objectionTo(from, to) {
  const importer = moduleOf(from);
  if (importer === undefined) return undefined;
  if (to === undefined)
    return from.endsWith('.spec.ts') ? undefined : 'src imports nothing from outside src.';
  const imported = moduleOf(to);
  if (imported === importer) return undefined;
  if (imported === undefined && importer === starter) return undefined;
  if (imported === undefined)
    return `src/${importer} must not import ${to}, which puts the modules together.`;
  if (unaware[groupOf(importer)] === groupOf(imported))
    return `src/${groupOf(importer)} must know nothing of src/${groupOf(imported)}.`;
  if (rowOf(imported) < rowOf(importer)) return undefined;
  return `src/${importer} must not import from src/${imported}: see the order in scripts/eslint-import-direction.mjs.`;
}

export default {
  rules: {
    direction: {
      create: (context) =>
        forEachImport(context, (from, to, report) => {
          const objection = objectionTo(from, to);
          if (objection) report(objection);
        }),
    },
    'own-repository': {
      create: (context) =>
        forEachImport(context, (from, to, report) => {
          if (to === undefined || !/\.repository(\.[jt]s)?$/.test(to)) return;
          if (moduleOf(to) === moduleOf(from)) return;
          report(
            `${path.posix.basename(to)} belongs to src/${moduleOf(to)}: use the service of that module.`,
          );
        }),
    },
  },
};
