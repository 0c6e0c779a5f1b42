import type { DynamicModule, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import { grantsOf, type PermissionGrant } from '../access/permission.js';
import type { SettingsClass } from '../config/all-settings.js';
import { BodyLimits } from './body-limit.js';
import { declarationOf } from './declares.js';

/** Two modules bring the same thing. The message is the sentence for the person who starts the server. */
export class DeclarationClash extends Error {
  constructor(what: string, one: string, other: string) {
    super(`${what} is declared by ${one} and by ${other}.`);
    this.name = new.target.name;
  }
}

/** What the modules of a server bring together. */
export class Declared {
  constructor(
    readonly entities: readonly Type[],
    /** In the order in which they run. */
    readonly migrations: readonly Type<MigrationInterface>[],
    readonly permissions: readonly PermissionGrant[],
    readonly settings: readonly SettingsClass[],
    readonly bodyLimits: BodyLimits,
  ) {}
}

/**
 * Collects what a module and everything that it imports declare, without starting anything. Throws DeclarationClash when
 * two of them bring the same table or permission, or migrations of one time.
 */
export function collectDeclared(root: Type): Declared {
  const modules = [...reachedFrom(root)];
  const entities = new Owned<Type>((entity) => `The table ${tableOf(entity)}`);
  const migrations = new Owned<Type<MigrationInterface>>(
    (migration) => `A migration with the timestamp ${timestampOf(migration)}`,
  );
  const permissions = new Owned<PermissionGrant>(({ permission }) => `The permission ${permission}`);
  for (const module of modules) {
    const declaration = declarationOf(module);
    entities.add(declaration.entities, module);
    migrations.add(declaration.migrations, module);
    permissions.add(declaration.permissions?.flatMap(grantsOf), module);
  }
  return new Declared(
    entities.list(),
    migrations.list().sort((a, b) => timestampOf(a) - timestampOf(b)),
    permissions.list(),
    modules.flatMap((module) => declarationOf(module).settings ?? []),
    new BodyLimits(modules.flatMap((module) => metadata<Type>(module, MODULE_METADATA.CONTROLLERS))),
  );
}

/** A module and all that it imports, each once, before what it imports. */
function reachedFrom(module: Type | DynamicModule, reached = new Set<Type>()): Set<Type> {
  const { type, imports = [] } =
    'module' in module ? { type: module.module, imports: module.imports } : { type: module };
  if (reached.has(type)) return reached;
  reached.add(type);
  for (const imported of [...metadata<unknown>(type, MODULE_METADATA.IMPORTS), ...imports]) {
    if (isModule(imported)) reachedFrom(imported, reached);
  }
  return reached;
}

function metadata<T>(module: Type, key: string): readonly T[] {
  return (Reflect.getMetadata(key, module) as readonly T[] | undefined) ?? [];
}

function isModule(imported: unknown): imported is Type | DynamicModule {
  return (
    typeof imported === 'function' ||
    (typeof imported === 'object' && imported !== null && 'module' in imported)
  );
}

/** Things of which each may be declared once, by what they are called. */
class Owned<T> {
  private readonly owners = new Map<string, { readonly thing: T; readonly module: Type }>();

  constructor(private readonly describe: (thing: T) => string) {}

  add(things: readonly T[] = [], module: Type): void {
    for (const thing of things) {
      const what = this.describe(thing);
      const owner = this.owners.get(what);
      if (owner) throw new DeclarationClash(what, owner.module.name, module.name);
      this.owners.set(what, { thing, module });
    }
  }

  list(): T[] {
    return [...this.owners.values()].map(({ thing }) => thing);
  }
}

function tableOf(entity: Type): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  return table?.name ?? entity.name;
}

function timestampOf(migration: Type<MigrationInterface>): number {
  return Number(/\d{13}$/.exec(migration.name)?.[0]);
}
