import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { Permissions } from '../access/permission.js';
import type { SettingsClass } from '../config/all-settings.js';

/** What a module brings beside its routes and providers. */
export interface Declaration {
  readonly entities?: readonly Type[];
  /** Run once each, in the order of the timestamps in their names, over all modules. */
  readonly migrations?: readonly Type<MigrationInterface>[];
  /** Made with `definePermissions`. One that is new to a server is granted once, at the next start. */
  readonly permissions?: readonly Permissions[];
  /** Made once at start from the environment; the module injects it. */
  readonly settings?: SettingsClass;
}

const DECLARATION = 'hookline:declaration';

/** Stands beside `@Module` and says what the module brings. It is read before the application is built. */
export const Declares =
  (declaration: Declaration): ClassDecorator =>
  (module) =>
    Reflect.defineMetadata(DECLARATION, declaration, module);

/** What a module says of itself; nothing for one that declares nothing. */
export function declarationOf(module: Type): Declaration {
  return (Reflect.getMetadata(DECLARATION, module) as Declaration | undefined) ?? {};
}
