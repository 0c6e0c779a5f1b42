// eslint-disable-next-line no-restricted-imports -- the one place that wraps it
import { type DynamicModule, Module as NestModule, type ModuleMetadata, type Type } from '@nestjs/common';

const imported = new Map<unknown, NonNullable<ModuleMetadata['imports']>>();

/** Nest's `@Module`, which also remembers the imports, so that `collectDeclared` can follow them before Nest does. */
export function Module(metadata: ModuleMetadata): ClassDecorator {
  return (module) => {
    imported.set(module, metadata.imports ?? []);
    NestModule(metadata)(module);
  };
}

/** What a module imports, as it stands beside the class. */
export const importsOf = (module: Type): (Type | DynamicModule)[] =>
  (imported.get(module) ?? []) as (Type | DynamicModule)[];
