import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { Permissions } from '../access/access.js';
import type { SettingsClass } from '../config/all-settings.js';

/** A group of routes in the OpenAPI document. Controllers name it with `@ApiTags`. */
export interface ApiGroup {
  readonly name: string;
  readonly description: string;
  /** Groups are sorted by it; those without one come last. */
  readonly position?: number;
}

/** What a module declares in addition to its routes and providers. */
export interface Declaration {
  readonly entities?: readonly Type[];
  /** Each runs once, ordered by the timestamp in its name across all modules. */
  readonly migrations?: readonly Type<MigrationInterface>[];
  /** Created with `definePermissions`. A new permission is granted once, at the next start. */
  readonly permissions?: readonly Permissions[];
  /** Created once at startup from the environment; the module injects it. */
  readonly settings?: SettingsClass;
  readonly apiGroups?: readonly ApiGroup[];
  /** Body size limits in bytes by full route path, for routes that exceed MAX_PAYLOAD_BYTES. */
  readonly bodyLimits?: Readonly<Record<string, number>>;
}

const DECLARATION = 'hookline:declaration';

/** Declares what a module contributes, next to `@Module`. Read before the application is built. */
export const Declares =
  (declaration: Declaration): ClassDecorator =>
  (module) =>
    Reflect.defineMetadata(DECLARATION, declaration, module);

/** The declaration of a module; empty if it has none. */
export function declarationOf(module: Type): Declaration {
  return (Reflect.getMetadata(DECLARATION, module) as Declaration | undefined) ?? {};
}
