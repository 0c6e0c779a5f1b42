/**
 * Lint rules that keep the database behind the modules that own its tables.
 *
 * `typeorm`: only repositories, read models, entities, migrations and src/platform/database import TypeORM, or take the
 * manager of a unit of work or transaction.
 * `own-tables`: a module reads and writes the tables of its own entities. A file `*.read-model.ts` may read those of
 * other modules too, but writes none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { insideSource, moduleOf, source } from './eslint-import-direction.mjs';

/** Files that may use TypeORM. platform/modules collects the entities and migrations of all modules. */
const persistence = [
  /\.(repository|read-model|entity)\.ts$/,
  /^platform\/(database|modules)\//,
  /(^|\/)migrations\//,
];

/** Files that may name any table. */
const exempt = [/\.spec\.ts$/, /(^|\/)migrations\//];

const isReadModel = (file) => file.endsWith('.read-model.ts');
const WRITES = new Set(['insert', 'update', 'upsert', 'save', 'delete', 'remove', 'softDelete']);

/** The module of each table, from the entities. */
function readOwners() {
  const owners = new Map();
  for (const file of readdirSync(source, { recursive: true })) {
    if (!file.endsWith('.entity.ts')) continue;
    const inside = file.split(path.sep).join('/');
    const text = readFileSync(path.join(source, file), 'utf8');
    for (const [, table] of text.matchAll(/@Entity\('(\w+)'\)/g)) owners.set(table, moduleOf(inside));
  }
  return owners;
}

let owners;

/** The tables that a piece of SQL names, and whether it writes them. */
function* tablesIn(sql) {
  for (const [, verb, table] of sql.matchAll(/\b(DELETE FROM|FROM|JOIN|INTO|UPDATE)\s+`?([a-z_]+)/g))
    yield { table, isWrite: verb !== 'FROM' && verb !== 'JOIN' };
}

const typeorm = {
  create(context) {
    const file = insideSource(context.filename);
    if (file === undefined || persistence.some((pattern) => pattern.test(file))) return {};
    const message = 'TypeORM stays behind repositories, read models and src/platform/database.';
    return {
      ImportDeclaration(node) {
        if (/^(@nestjs\/)?typeorm(\/|$)/.test(node.source.value)) context.report({ node, message });
      },
      'MemberExpression[property.name="manager"], ObjectPattern > Property[key.name="manager"]'(node) {
        context.report({ node, message });
      },
    };
  },
};

const ownTables = {
  create(context) {
    const file = insideSource(context.filename);
    if (file === undefined || exempt.some((pattern) => pattern.test(file))) return {};
    const importer = moduleOf(file);
    if (importer === undefined) return {};
    owners ??= readOwners();

    function checkSql(node, sql) {
      for (const { table, isWrite } of tablesIn(sql)) {
        const owner = owners.get(table);
        if (owner === undefined) continue;
        if (isReadModel(file)) {
          if (isWrite) context.report({ node, message: 'A read model writes nothing.' });
        } else if (owner !== importer) {
          context.report({
            node,
            message: `The table ${table} belongs to src/${owner}: ask its service, or read it in a read model.`,
          });
        }
      }
    }

    return {
      Literal: (node) => typeof node.value === 'string' && checkSql(node, node.value),
      TemplateLiteral: (node) => checkSql(node, node.quasis.map(({ value }) => value.raw).join('')),
      ImportDeclaration(node) {
        const { value } = node.source;
        if (!value.startsWith('.') || !/\.entity(\.[jt]s)?$/.test(value)) return;
        if (node.importKind === 'type' || node.specifiers.every(({ importKind }) => importKind === 'type'))
          return;
        const owner = moduleOf(insideSource(path.resolve(path.dirname(context.filename), value)) ?? '');
        if (owner === importer || isReadModel(file) || file.endsWith('.entity.ts')) return;
        context.report({
          node,
          message: `This entity belongs to src/${owner}: import its type only, and ask the service for rows.`,
        });
      },
      CallExpression(node) {
        if (!isReadModel(file) || node.callee.type !== 'MemberExpression') return;
        if (WRITES.has(node.callee.property.name))
          context.report({ node, message: 'A read model writes nothing.' });
      },
    };
  },
};

export default { rules: { typeorm, 'own-tables': ownTables } };
