import type { DynamicModule, Type } from '@nestjs/common';
import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import { grantsOf, type PermissionGrant } from '../access/access.js';
import type { SettingsClass } from '../config/all-settings.js';
import { type ApiGroup, declarationOf } from './declares.js';

/** Two modules declare the same thing. The message is shown to the operator. */
export class DeclarationClash extends Error {
  constructor(what: string, one: string, other: string) {
    super(`${what} is declared by ${one} and by ${other}.`);
    this.name = new.target.name;
  }
}

/** The combined declarations of all modules. */
export class Declared {
  constructor(
    readonly entities: readonly Type[],
    readonly migrations: readonly Type<MigrationInterface>[],
    readonly permissions: readonly PermissionGrant[],
    readonly settings: readonly SettingsClass[],
    readonly apiGroups: readonly ApiGroup[],
    /** Routes that accept larger bodies, by path. */
    private readonly bodyLimits: ReadonlyMap<string, number>,
  ) {}

  /** The body size limit of a URL in bytes, at least `usual`. Bodies are read before routing. */
  bodyLimitOf(url: string, usual: number): number {
    return Math.max(usual, this.bodyLimits.get(url.split('?', 1)[0] ?? '') ?? 0);
  }
}

/** Collects the declarations of a module and all its imports, without starting anything. Throws DeclarationClash. */
export function collectDeclared(root: Type): Declared {
  const modules = [...reachedFrom(root)];
  const entities = new Owned<Type>((entity) => `The table ${tableOf(entity)}`);
  const migrations = new Owned<Type<MigrationInterface>>(
    (migration) => `A migration with the timestamp ${timestampOf(migration)}`,
  );
  const permissions = new Owned<PermissionGrant>(({ permission }) => `The permission ${permission}`);
  const apiGroups = new Owned<ApiGroup>(({ name }) => `The API group ${name}`);
  for (const module of modules) {
    const declaration = declarationOf(module);
    entities.add(declaration.entities, module);
    migrations.add(declaration.migrations, module);
    permissions.add(declaration.permissions?.flatMap(grantsOf), module);
    apiGroups.add(declaration.apiGroups, module);
  }
  return new Declared(
    entities.list(),
    migrations.list().sort((a, b) => timestampOf(a) - timestampOf(b)),
    permissions.list(),
    modules.flatMap((module) => declarationOf(module).settings ?? []),
    apiGroups.list().sort((a, b) => (a.position ?? 1_000) - (b.position ?? 1_000)),
    new Map(modules.flatMap((module) => Object.entries(declarationOf(module).bodyLimits ?? {}))),
  );
}

/** A module and its transitive imports, each once and before its own imports. */
function reachedFrom(module: Type | DynamicModule, reached = new Set<Type>()): Set<Type> {
  const { type, imports = [] } =
    'module' in module ? { type: module.module, imports: module.imports } : { type: module };
  if (reached.has(type)) return reached;
  reached.add(type);
  for (const imported of [...importsOf(type), ...imports])
    if (isModule(imported)) reachedFrom(imported, reached);
  return reached;
}

/** The imports in `@Module`; entities and settings are needed before Nest builds its modules. */
function importsOf(module: Type): unknown[] {
  return (Reflect.getMetadata('imports', module) as unknown[] | undefined) ?? [];
}

function isModule(imported: unknown): imported is Type | DynamicModule {
  return (
    typeof imported === 'function' ||
    (typeof imported === 'object' && imported !== null && 'module' in imported)
  );
}

/** Things that may each be declared only once, keyed by description. */
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
